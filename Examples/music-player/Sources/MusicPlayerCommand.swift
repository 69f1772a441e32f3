import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import Glibc

@main
struct MusicPlayerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "music-player",
        abstract: "Plays sound files, and pauses when the headphones are pulled.",
        discussion: """
            Keys:
              space        plays, pauses
              n p          next track; beginning of this one, then the previous
              left right   5 seconds back, forward
              up down + -  volume
              q            quits

            Without a terminal it prints a line for what happens and ends after the last track; keys may come by a pipe.

            Exit codes:
              0    played to the end, or quit
              64   the command line is wrong
              65   no file can be played
              66   a file or folder is not there, or cannot be read
              69   PipeWire cannot be reached, or was lost
              71   the system has no thread, file or memory left
              75   another program, such as a call, does not let it begin, and the input is no terminal, so no user
                   presses play again
              128 and more: ended by the signal of that number less 128
            """)

    @Argument(help: "Sound files (WAV, AIFF, CAF, FLAC, Ogg/Vorbis, Opus and MP3), or folders that hold some.")
    var paths: [String]

    @Flag(help: "Print a line for what happens, also on a terminal.")
    var plain = false

    @Flag(help: "It is a podcast or a book: prompts of other programs make it wait, instead of talking over it.")
    var spoken = false

    @Option(help: "The volume to begin with, in per cent.")
    var volume = 100

    func validate() throws {
        guard (0...100).contains(volume) else { throw ValidationError("The volume is 0 to 100 per cent.") }
    }

    func run() async throws {
        // `write` then reports a closed reader as an error, and the terminal is still restored.
        signal(SIGPIPE, SIG_IGN)
        let status: Int32
        do {
            status = try await play()
        } catch {
            writeAll("music-player: \(error.message.printable)\n", to: STDERR_FILENO)
            throw ExitCode(error.exitCode)
        }
        if status != 0 { throw ExitCode(status) }
    }

    private func play() async throws(MusicPlayerFailure) -> Int32 {
        let files = try SoundFiles.find(in: paths.map(SoundFiles.Path.init(argument:)))
        let player = try await Player.connect(isSpoken: spoken)
        let failures = await player.load(files)
        guard !player.audio.queue.isEmpty else { throw .nothingPlayable(failures.map(\.message)) }
        do { try await player.audio.setVolume(Float(volume) / 100) } catch { throw .pipeWire(error) }
        let show = Show(player, on: Terminal(hasScreen: !plain && Terminal.canDraw))
        let status = try await show.run(skipped: failures.map(\.message))
        await player.close()
        return status
    }
}
