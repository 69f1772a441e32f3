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

extension GraphEvent {
    var surveyNews: SurveyNews {
        switch self {
        case .nodeAppeared, .nodeState, .nodeMuted, .nodeVolumes, .silentModeChanged, .clockChanged, .clientAppeared,
            .metadataAppeared, .sessionObjectAppeared, .defaultChanged, .configuredDefaultChanged, .barrier(.initial),
            .barrier(.routes),
            .barrier(.token),
            .barrier(.question):
            .nothing
        case .deviceRoutes(let id, _), .deviceActiveRoutes(let id, _), .deviceProfiles(let id, _),
            .deviceActiveProfile(let id, _):
            .device(id)
        case .deviceAppeared, .deviceProperties, .nodeProperties, .linkAppeared, .disappeared, .barrier(.device):
            .everything
        }
    }
}
