/// What of a ``PortSurvey`` news may have made untrue.
enum SurveyNews: Sendable, Hashable {
    case nothing
    /// What this device is, or one of its routes: where that is found behind nodes is as before.
    case device(ObjectID)
    case everything

    mutating func add(_ other: Self) {
        if self == .nothing { self = other } else if other != .nothing, other != self { self = .everything }
    }
}
