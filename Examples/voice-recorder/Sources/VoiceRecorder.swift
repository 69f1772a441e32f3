import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import ExampleSupport

/// Records the microphone to a file, and shows the level.
@main
struct VoiceRecorder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-recorder",
        abstract: "Records the microphone to a file: others are interrupted meanwhile, and may then resume.",
        discussion: """
            Enter ends the recording; so do the time that passes, a call, and a microphone that is pulled. The file is \
            whole in each case, and up to the last second also if the program is killed.

            Exit codes: 0 recorded; 64 the command line is wrong; 69 PipeWire cannot be reached, or nothing to record \
            from; 73 the file cannot be written; 75 refused; 128 and more: ended by the signal of that number less 128.
            """)

    @Argument(help: "A name that ends in .flac is FLAC, all others are WAV. A file that is there is overwritten.")
    var file: String

    @Option(help: ArgumentHelp("How long to record at most.", valueName: "seconds"))
    var seconds = 3_600.0

    @Flag(help: "Two channels instead of one.")
    var stereo = false

    func validate() throws {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("\(seconds) is not from 0 to 86400 seconds.")
        }
    }

    func run() async throws {
        do {
            try await record()
        } catch let status as ExitCode {
            throw status
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func record() async throws {
        let happenings = Happenings()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "voice-recorder"))
        let recorder = AudioRecorder(
            manager: manager, configuration: .init(format: .init(channelCount: stereo ? 2 : 1)))
        happenings.follow(recorder)
        happenings.followEnter()
        try await recorder.record(to: file)
        let meter = LevelMeter(of: recorder)
        var failure: AudioSessionError?
        do {
            try await happenings.wait(atMost: .seconds(seconds)) { happening in
                if case .recorder(.failed(let error, _)) = happening { failure = error }
                return happening.isEnter || happening.isEnd
            }
        } catch {
            await meter?.end()
            // The recorded part is kept, also after a signal.
            await finish(recorder, manager)
            throw error
        }
        await meter?.end()
        await finish(recorder, manager)
        // It was printed when it happened.
        if let failure { throw ExitCode(failure.exitStatus) }
    }

    /// The session is deactivated with notify, so that music resumes.
    private func finish(_ recorder: AudioRecorder, _ manager: AudioSessionManager) async {
        if let recording = await recorder.stop() { say("kept \(recording.duration.words) in \(file)") }
        _ = try? await recorder.session.deactivate()
        await recorder.close()
        await manager.close()
    }
}

extension Happenings.Happening {
    fileprivate var isEnter: Bool { if case .enter = self { true } else { false } }
    fileprivate var isEnd: Bool { if case .recorder(.finished) = self { true } else { false } }
}

extension Duration {
    /// The duration as "1:02.5".
    fileprivate var words: String {
        let tenths = Int(self / .milliseconds(100))
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    }
}
