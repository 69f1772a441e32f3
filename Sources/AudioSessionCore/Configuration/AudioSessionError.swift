/// What went wrong, why, and what can be done about it.
public struct AudioSessionError: Error, Sendable, Hashable {
    /// What went wrong, for programs to decide by.
    public let code: Code
    /// What happened, why, and what to do, in a sentence or two for people.
    public let message: String
    /// The rule that was broken, where one was: the first part of ``message``.
    public let rule: String?
    /// What would keep the rule.
    public let fix: String?
    /// Everything that is illegal in a configuration; empty if the error is about something else.
    public let violations: [ConfigurationViolation]

    package init(_ code: Code, _ message: String) {
        self.init(code, message: message, rule: nil, fix: nil, violations: [])
    }

    package init(_ code: Code, rule: String, fix: String) {
        self.init(code, message: "\(rule) \(fix)", rule: rule, fix: fix, violations: [])
    }

    /// `nil` if nothing is violated. The rule and the fix are those of the first violation, the message has all.
    init?(_ violations: [ConfigurationViolation]) {
        guard let first = violations.first else { return nil }
        let message = violations.map(\.description).joined(separator: " ")
        self.init(.badParam, message: message, rule: first.rule, fix: first.fix, violations: violations)
    }

    private init(
        _ code: Code, message: String, rule: String?, fix: String?, violations: [ConfigurationViolation]
    ) {
        self.code = code
        self.message = message
        self.rule = rule
        self.fix = fix
        self.violations = violations
    }
}

extension AudioSessionError {
    /// Made anew each time: a child has no use for a value that its parent's threads were about to make.
    package static var forked: Self {
        AudioSessionError(
            .forked,
            rule: "This process was forked from one that had opened a manager, "
                + "and has none of the library's threads.",
            fix: "Call exec after fork, or open the first manager after it; "
                + "with Python's multiprocessing use the start method \"spawn\".")
    }
}

extension AudioSessionError: CustomStringConvertible {
    public var description: String { message }
}
