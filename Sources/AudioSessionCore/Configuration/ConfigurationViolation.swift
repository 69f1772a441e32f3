/// A violation of a rule in a configuration, with the rule and its fixes.
public struct ConfigurationViolation: Sendable, Hashable {
    /// The part of a configuration that is illegal.
    @nonexhaustive
    public enum Subject: Sendable, Hashable {
        /// The mode is illegal with the category.
        case mode(AudioSessionConfiguration.Mode)
        /// One option is illegal, or bits are no option.
        case options(AudioSessionConfiguration.CategoryOptions)
        /// The policy is illegal, alone or with the category, the mode or the options.
        case routeSharingPolicy(AudioSessionConfiguration.RouteSharingPolicy)
        /// The group's name is illegal.
        case group
        /// The replug timeout is negative.
        case replugTimeout
    }

    /// The part of the configuration that is illegal.
    public let subject: Subject
    /// The sentence that names the subject and the rule that it breaks.
    public let rule: String
    /// The sentence with all fixes.
    public let fix: String
    /// The categories that permit the subject and keep playback and recording possible.
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
