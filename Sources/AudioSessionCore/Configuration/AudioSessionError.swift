/// An error of the library, with its cause and what can be done about it. Managers, sessions,
/// players, recorders, outputs, inputs and the desktop throw it.
public struct AudioSessionError: Error, Sendable, Hashable {
    /// The kind of the failure, for the program.
    public let code: Code
    /// One or two sentences for the user: what happened, why, and what to do.
    public let message: String
    /// The rule that was broken, as the first part of ``message``; `nil` if the failure breaks
    /// none.
    public let rule: String?
    /// The action that would keep the rule, as the second part of ``message``; `nil` without a
    /// rule.
    public let fix: String?
    /// The violations of rules in a configuration; empty if the error concerns something else.
    public let violations: [ConfigurationViolation]
    /// The path of the file that the error concerns; `nil` if it concerns none.
    public let path: String?
    /// The error of a lower layer that led to this one: a ``SystemError``, or one of PipeWire's
    /// that only has a description. `nil` if the library itself decided.
    public let underlying: (any Error & Hashable)?

    package init(
        _ code: Code, _ message: String, path: String? = nil, underlying: (any Error & Hashable)? = nil
    ) {
        self.init(code, message: message, path: path, underlying: underlying)
    }

    package init(_ code: Code, rule: String, fix: String, underlying: (any Error & Hashable)? = nil) {
        self.init(code, message: "\(rule) \(fix)", rule: rule, fix: fix, underlying: underlying)
    }

    /// Makes the error of these violations; `nil` without any. Rule and fix are those of the first
    /// violation, and the message contains all.
    init?(_ violations: [ConfigurationViolation]) {
        guard let first = violations.first else { return nil }
        let message = violations.map(\.description).joined(separator: " ")
        self.init(.badParam, message: message, rule: first.rule, fix: first.fix, violations: violations)
    }

    private init(
        _ code: Code, message: String, rule: String? = nil, fix: String? = nil,
        violations: [ConfigurationViolation] = [], path: String? = nil, underlying: (any Error & Hashable)? = nil
    ) {
        self.code = code
        self.message = message
        self.rule = rule
        self.fix = fix
        self.violations = violations
        self.path = path
        self.underlying = underlying
    }
}

// The compiler derives neither for an existential.
extension AudioSessionError {
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message && left.rule == right.rule
            && left.fix == right.fix && left.violations == right.violations && left.path == right.path
            && left.underlying.map { Self.erase($0) } == right.underlying.map { Self.erase($0) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(path)
    }

    private static func erase(_ value: some Hashable) -> AnyHashable { AnyHashable(value) }
}

extension AudioSessionError {
    /// The error of a forked child. It is made anew each time, because a fork may interrupt a
    /// thread of the parent that is initializing a static value.
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
