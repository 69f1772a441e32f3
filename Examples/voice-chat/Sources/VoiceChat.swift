import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import ExampleSupport

/// Sends the microphone's sound to another program, and plays what that one sends.
@main
struct VoiceChat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-chat",
        abstract: "Talks with a second voice-chat over a local socket: a call for all other programs.",
        discussion: """
            The first program waits at the path, and the second connects to it. Enter hangs up at both ends.

            Exit codes: 0 hung up; 64 the command line is wrong; 69 PipeWire cannot be reached, or was lost; 73 the \
            socket cannot be used; 75 refused; 128 and more: ended by the signal of that number less 128.
            """)

    @Argument(help: "The path of the socket, of at most \(Line.longestPath) bytes.")
    var path: String

    @Flag(help: "Sends the echo of the loudspeaker as well.")
    var withEcho = false

    /// 10 ms are 480 frames, which is also the canceller's block.
    private static let format = AudioOutput.Format(sampleRate: 48_000, channelCount: 1)

    func validate() throws {
        guard (1...Line.longestPath).contains(path.utf8.count) else {
            throw ValidationError("The path has \(path.utf8.count) bytes, and may have 1 to \(Line.longestPath).")
        }
    }

    func run() async throws {
        do {
            try await chat()
        } catch let failure as Line.Failure {
            say("\(failure)")
            throw ExitCode(73)
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func chat() async throws {
        let happenings = Happenings()
        let line = try Line(path: path)
        defer { line.close() }
        happenings.follow(line.connections) { .peer(isThere: $0) }
        happenings.followEnter()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "voice-chat"))
        if line.isWaiting { say("waiting at \(path) · start a second voice-chat with this path") }
        guard case .peer(isThere: true) = try await happenings.wait(until: \.isOfCall) else { return say("hung up") }

        // Both run on one computer. The one that waited is the call for all other programs, and the
        // other one mixes with it. A program that calls another computer does not mix.
        let session = try AudioSession(
            manager: manager,
            configuration: .init(
                .playAndRecord, mode: .voiceChat,
                options: line.isWaiting ? .allowBluetoothHFP : [.allowBluetoothHFP, .mixWithOthers]))
        let cancelsEcho = !withEcho && AudioInput.isEchoCancelledInputAvailable
        let input = AudioInput(
            session: session, configuration: .init(format: Self.format, prefersEchoCancelledInput: cancelsEcho))
        let output = AudioOutput(
            session: session,
            configuration: .init(format: Self.format, bufferDuration: .milliseconds(80), role: .communication))
        happenings.follow(output)
        happenings.follow(onlyEventsOf: input)
        happenings.follow(portsOf: manager)
        let captured = input.buffers()
        // However it ends, the interrupted sessions are advised to resume.
        let reason = try await session.withActiveSession {
            try await input.start()
            try await output.start()
            say("talking, \(cancelsEcho ? "echo cancelled" : "with echo") · Enter hangs up")
            return try await withThrowingTaskGroup { tasks in
                tasks.addTask { for await buffer in captured { line.send(buffer.samples) } }
                // What does not fit is dropped, because sound that waits is late.
                tasks.addTask { for await samples in line.received { _ = try output.writeAvailable(samples.span) } }
                defer { tasks.cancelAll() }
                return try await Self.end(of: happenings, input)
            }
        }
        say(reason.isEnter ? "hung up" : "the other side hung up")
        await input.close()
        await output.close()
        await manager.close()
    }

    /// Waits for the end of the call. After the loss of the last microphone, the input is stopped,
    /// and is started again when another one is connected, but not during an interruption. After
    /// one that ended without advice, the session stays inactive.
    private static func end(of happenings: Happenings, _ input: AudioInput) async throws -> Happenings.Happening {
        while true {
            let happening = try await happenings.wait { $0.isOfCall || $0.mayAllowInput }
            guard happening.mayAllowInput else { return happening }
            // `start()` would activate an inactive session.
            guard input.session.state == .active, input.state == .stopped,
                !input.session.manager.availableInputs.isEmpty
            else { continue }
            do { try await input.start() } catch { say(error.message) }
        }
    }
}

extension Happenings.Happening {
    fileprivate var isEnter: Bool { if case .enter = self { true } else { false } }

    fileprivate var isOfCall: Bool { if case .peer = self { true } else { isEnter } }

    /// Whether a stopped input may be able to start now.
    fileprivate var mayAllowInput: Bool {
        switch self {
        case .portsChanged, .session(.stateChanged(.active, _)): true
        default: false
        }
    }
}
