/// What kind of port something is, and how surely.
package struct PortClassification: Sendable, Hashable {
    package var type: PortType
    /// What hangs on a bus that `type` only names: headphones on USB, for example.
    package var hint: PortType?
    /// Whether the data allows for another type as well.
    package var isUncertain: Bool
    /// One sentence for people.
    package var why: String
    /// Whether a filter stands between the program and the port.
    package var isThroughFilter = false

    package init(
        _ type: PortType, hint: PortType? = nil, isUncertain: Bool = false, why: String, isThroughFilter: Bool = false
    ) {
        self.type = type
        self.hint = hint
        self.isUncertain = isUncertain
        self.why = why
        self.isThroughFilter = isThroughFilter
    }
}

/// One line of the decision table.
///
/// A rule answers for what it knows and leaves everything else to the next one, so a table reads from top to bottom.
package struct PortRule: Sendable {
    package let name: String
    package let decide: @Sendable (PortEvidence) -> PortClassification?

    package init(_ name: String, _ decide: @escaping @Sendable (PortEvidence) -> PortClassification?) {
        self.name = name
        self.decide = decide
    }
}

extension [PortRule] {
    /// The answer of the first rule that has one.
    package func decide(_ evidence: PortEvidence) -> PortClassification? {
        for rule in self {
            if let answer = rule.decide(evidence) { return answer }
        }
        return nil
    }
}
