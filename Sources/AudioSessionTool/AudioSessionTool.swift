package import ArgumentParser

/// The root command of the program `audiosession`.
package struct AudioSessionTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "audiosession",
        abstract:
            "Shows where this machine's sound goes and who may be heard, and plays the part of cards and programs.",
        discussion: """
            Examples:
              audiosession status                  where sound goes now
              audiosession monitor --json          what changes, an object a line
              audiosession ports --dump FILE       the ports in a saved pw-dump
              audiosession why                     who may be heard, who not, and because of whom
              audiosession silent on               mutes what is only there to please
              audiosession run                     a program with a session, driven by standard input
              audiosession with --duck -- COMMAND  runs a command, and others are quieter meanwhile
              audiosession pause --seconds 5       others are silent
              audiosession simulate card           a sound card without hardware
              audiosession simulate call           a program that rings and then talks
              audiosession simulate prompt         a program that says something while music plays
              audiosession demo                    what is heard when headphones are pulled, and when others call

            Exit codes:
              0   done, or ended as asked: by a signal, or with its reader
              1   the demonstration did not show what it is to show
              64  the command line is wrong
              65  the input is not what it should be
              66  the input cannot be read
              69  PipeWire cannot be reached, or went away
              70  something happened that should not be possible
              71  the system has no thread, file or memory left
              72  the program audiosession-simulate is not installed
              73  a simulated card of that name exists
              74  the output cannot be written
              75  another program's session has the sound, and keeps it: try again later
              77  PipeWire does not let this program do it
              126 the command after 'with' cannot be run
              127 there is no command of that name
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
