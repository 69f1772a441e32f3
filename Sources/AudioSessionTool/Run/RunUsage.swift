/// A command of `audiosession run` in the help text for users.
struct RunUsage: Sendable, Hashable {
    let syntax: String
    let effect: String

    private init(_ syntax: String, _ effect: String) { (self.syntax, self.effect) = (syntax, effect) }

    /// All commands, in the order of the help text.
    static let all = [
        RunUsage("category NAME [mode=M] [options=A,B] [policy=P]", "sets all four"),
        RunUsage("priority media|alarm|ringtone|communication|emergency", "sets the session's priority"),
        RunUsage("group NAME", "sets the group of the session"),
        RunUsage("background on|off", "states if the program is in the background"),
        RunUsage("activate", "activates the session"),
        RunUsage("deactivate [notify|silent]", "deactivates it; silent: others get no advice"),
        RunUsage("play tone [HZ]|FILE", "plays; without an argument the same again"),
        RunUsage("pause", "pauses the player"),
        RunUsage("stop", "stops the player"),
        RunUsage("volume LEVEL", "sets the player's volume, 0 to 1"),
        RunUsage("state", "prints the session's and the player's state"),
        RunUsage("route", "prints the session's route, with reasons"),
        RunUsage("ports", "prints all available ports"),
        RunUsage("why", "prints the reasons for silence"),
        RunUsage("other", "prints whether other audio plays"),
        RunUsage("prefer-output UID|none", "prefers an output, by its uid from 'ports'"),
        RunUsage("prefer-input UID|none", "prefers an input, by its uid from 'ports'"),
        RunUsage("override speaker|none", "plays on the computer's speaker"),
        RunUsage("sources [UID ID|none]", "prints data sources, or selects one"),
        RunUsage("auto on|off", "resumes when advised to; off at first"),
        RunUsage("replug on|off", "advises to resume when a lost output returns"),
        RunUsage("noisy pause|ignore", "sets the reaction to a lost output"),
        RunUsage("unmanaged leave|pause|silence|duck|auto", "sets the policy for programs without sessions"),
        RunUsage("record FILE|off", "records the microphone"),
        RunUsage("mute on|off", "records silence; off at first"),
        RunUsage("numbers", "prints rate, latency, channels and volume"),
        RunUsage("prefer-rate HZ|none", "prefers a sample rate"),
        RunUsage("prefer-buffer MILLISECONDS|none", "prefers an I/O buffer"),
        RunUsage("prefer-output-channels COUNT|none", "prefers a number of output channels"),
        RunUsage("prefer-input-channels COUNT|none", "prefers a number of input channels"),
        RunUsage("input-gain LEVEL", "sets the input's gain for all, 0 to 1"),
        RunUsage("help", "prints these commands"),
        RunUsage("quit", "ends without deactivating"),
    ]

    /// The first word of the command's line.
    var word: String { String(syntax.prefix { $0 != " " }) }

    /// The help text, in lines of at most 80 columns. The effect is beside the syntax, or below it
    /// if it is long.
    static let text = all.map(\.lines).joined(separator: "\n")

    private var lines: String {
        let column = 34
        let gap = column - syntax.count - 2
        if gap >= 2 { return "  " + syntax + String(repeating: " ", count: gap) + effect }
        return "  " + syntax + "\n" + String(repeating: " ", count: column) + effect
    }
}
