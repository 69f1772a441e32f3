/// The type of a port, with its certainty and reason.
package struct PortClassification: Sendable, Hashable {
    package var type: PortType
    /// The probable device on a bus that `type` only names, such as headphones on USB.
    package var hint: PortType?
    /// Whether the data permits another type as well.
    package var isUncertain: Bool
    /// The reason, as a sentence for the user.
    package var why: String
    /// Whether a filter is between the program and the port.
    package var isThroughFilter = false

    init(_ type: PortType, hint: PortType? = nil, isUncertain: Bool = false, why: String) {
        (self.type, self.hint, self.isUncertain, self.why) = (type, hint, isUncertain, why)
    }
}

/// A rule of the decision table. It answers the cases that it knows and leaves the others to the
/// next rule, so a table reads from top to bottom.
typealias PortRule = @Sendable (PortEvidence) -> PortClassification?
