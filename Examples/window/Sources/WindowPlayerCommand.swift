import ArgumentParser
import Foundation

@main
struct WindowPlayerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "window-player",
        abstract: "Plays sound files in a window that shows where they are heard, and which program interrupts them.",
        discussion: """
            Exit codes: 0 the window was closed; 64 the command line is wrong; 66 a file cannot be played; 69 there is \
            no display, or PipeWire cannot be reached.
            """)

    @Argument(help: "Sound files (WAV, AIFF, CAF, FLAC, Ogg/Vorbis, Opus and MP3).")
    var files: [String]

    @Flag(help: "Print what the window shows, as JSON; read commands from standard input. For tests.")
    var console = false

    func run() throws {
        let status = MainActor.assumeIsolated { Self.run(files, hasConsole: console) }
        if status != 0 { throw ExitCode(status) }
    }

    @MainActor
    private static func run(_ files: [String], hasConsole: Bool) -> Int32 {
        guard let loop = GtkLoop() else {
            printError("There is no display to show a window on. Start it in a desktop, or see 'xvfb-run'.")
            return 69
        }
        Task {
            do throws(Player.Failure) {
                let presenter = Presenter(try await Player.open(files), in: loop)
                if hasConsole { presenter.openConsole() }
                presenter.start()
            } catch {
                printError(error.message)
                loop.quit(error.exitStatus)
            }
        }
        return loop.run()
    }

    private static func printError(_ words: String) {
        // Names of files and devices may contain control characters for a terminal.
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        let printable = String.UnicodeScalarView(words.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 })
        FileHandle.standardError.write(Data("window-player: \(String(printable))\n".utf8))
    }
}
