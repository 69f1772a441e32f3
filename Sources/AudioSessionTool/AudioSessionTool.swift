package import ArgumentParser

/// The root command of the program `audiosession`.
package struct AudioSessionTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "audiosession",
        abstract:
            "Shows routes and audio sessions of this computer, and simulates sound cards and programs.",
        discussion: """
            Examples:
              audiosession status                  where sound goes now
              audiosession monitor --json          its changes, one JSON object a line
              audiosession ports --dump FILE       the ports in a saved pw-dump
              audiosession why                     which sessions may be heard, and why
              audiosession silent on               mutes ambient and soloAmbient sessions
              audiosession run                     a program with a session, for scripts
              audiosession with --duck -- COMMAND  runs a command while others are ducked
              audiosession pause --seconds 5       pauses or mutes others
              audiosession simulate card           a sound card without hardware
              audiosession simulate call           a program that rings, then has a call
              audiosession simulate prompt         a program that speaks while music plays
              audiosession demo                    measures unplugs, calls and prompts

            Exit codes:
              0   success; the output's reader closed it; or monitor, run, duck, pause
                  or simulate was ended by a signal
              1   the demonstration found a difference, cannot run, or was ended
              64  the command line is wrong
              65  the input is invalid
              66  the input cannot be read
              69  PipeWire cannot be reached, or was lost
              70  an internal error
              71  the system has no more threads, files or memory
              72  the program audiosession-simulate is not installed
              73  a simulated card of that name exists
              74  the output cannot be written
              75  another session refuses the activation: try again later
              77  PipeWire does not permit it
              126 the command after 'with' cannot be run
              127 the command after 'with' does not exist
            """,
        version: ToolProgram.version,
        subcommands: [
            StatusCommand.self, MonitorCommand.self, WhyCommand.self, SilentCommand.self, RunCommand.self,
            WithCommand.self, DuckCommand.self, PauseCommand.self, PortsCommand.self, SimulateCommand.self,
            DemoCommand.self,
        ])

    package init() {}

    /// Runs the command that the program was started with, and ends the program.
    package static func run() async -> Never {
        await ToolProgram.run(Self.self) { command in
            var command = command
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        }
    }
}
