/// Something in a configuration that may not be there, which rule says so, and what would keep the rule.
public struct ConfigurationViolation: Sendable, Hashable {
    /// What may not be there.
    public enum Subject: Sendable, Hashable {
        /// The mode, with the category.
        case mode(AudioSessionConfiguration.Mode)
        /// One option, or the bits that are none.
        case options(AudioSessionConfiguration.CategoryOptions)
        /// The policy, with the category or the mode.
        case routeSharingPolicy(AudioSessionConfiguration.RouteSharingPolicy)
        /// The group's name.
        case group
    }

    /// What may not be there.
    public let subject: Subject
    /// One sentence that names the subject and what it stands against.
    public let rule: String
    /// One sentence with all ways out.
    public let fix: String
    /// The categories that allow it, among those that keep playback and recording possible as they are.
    public let alternatives: [AudioSessionConfiguration.Category]

    init(
        _ subject: Subject, rule: String, fix: String, alternatives: [AudioSessionConfiguration.Category] = []
    ) {
        self.subject = subject
        self.rule = rule
        self.fix = fix
        self.alternatives = alternatives
    }
}

extension ConfigurationViolation: CustomStringConvertible {
    public var description: String { "\(rule) \(fix)" }
}
