import ArgumentParser
import AudioSessions

/// The options by which `with`, `duck` and `pause` silence other programs.
struct SilencingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A program that is left unchanged, with its descendants. May be repeated.",
            discussion: """
                The name of its streams, of its process, or of its media player, in upper or lower case.
                """,
            valueName: "name"))
    var except: [String] = []

    @Option(help: ArgumentHelp("The session's priority.", valueName: "priority"), transform: Self.priority)
    var priority = AudioSessionConfiguration.Priority.media

    init() {}

    private static func priority(_ text: String) throws -> AudioSessionConfiguration.Priority {
        if let priority = AudioSessionConfiguration.Priority(rawValue: text) { return priority }
        let names = AudioSessionConfiguration.Priority.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("There is no priority \"\(text.prefix(40))\". Use one of \(names).")
    }
}

extension Silencing {
    /// Combines the command's defaults with the options of the command line.
    ///
    /// - Throws: A command-line error if the configuration is illegal.
    init(
        _ manner: Manner?, _ configuration: AudioSessionConfiguration, _ options: SilencingOptions
    ) throws(ValidationError) {
        var configuration = configuration
        configuration.priority = options.priority
        do throws(AudioSessionError) {
            try self.init(manner, configuration)
        } catch {
            throw ValidationError(error.message)
        }
        exceptions.names = Set(options.except)
    }
}
