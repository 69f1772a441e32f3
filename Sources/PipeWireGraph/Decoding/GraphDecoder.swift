package import AudioSessionCore
package import CPipeWireShim

/// Converts the arguments of the shim's callbacks into graph events.
package final class GraphDecoder {
    private(set) var receive: (GraphEvent) -> Void
    private var failed: (String) -> Void
    var done: (Int32) -> Void = { _ in }
    var objectRemoved: (ObjectID) -> Void = { _ in }
    /// Called once for every ``eventsPerTurn`` events, before the last of them is handled.
    var runWaitingJobs: () -> Void = {}
    private var eventsUntilTurn = eventsPerTurn
    /// The metadata objects that are read.
    var metadata = MetadataSelection()
    private var routes = ParameterLists<RouteList>()
    private var profiles = ParameterLists<ProfileList>()

    /// The number of entries of lists that were ignored because of the limits.
    private(set) var refusedCount: UInt64 = 0

    /// The number of events after which waiting jobs of the program run.
    static let eventsPerTurn = 64

    private final class ProfileList {
        var profiles: [DeviceProfile] = []
        var textBytes = 0
    }

    package init(receive: @escaping (GraphEvent) -> Void, failed: @escaping (String) -> Void) {
        self.receive = receive
        self.failed = failed
    }

    package static let events = cpw_connection_events(
        global: { of($0).global($1, $2, Properties(picking: $3, $4)) },
        global_removed: { of($0).disappeared(ObjectID($1)) },
        properties: { of($0).properties($1, $2, Properties(picking: $3, $4)) },
        node_state: { of($0).nodeState(ObjectID($1), $2) },
        node_mute: { of($0).receive(.nodeMuted(ObjectID($1), $2)) },
        node_volumes: {
            of($0).receive(.nodeVolumes(ObjectID($1), Array(UnsafeBufferPointer(start: $2, count: $3))))
        },
        params_begin: { of($0).beginList($1, $2) },
        profile: { of($0).profile($1, $2, $3.pointee) },
        route: { of($0).route($1, $2, $3.pointee) },
        params_end: { of($0).endList($1, $2) },
        metadata: { of($0).metadataChanged(ObjectID($1), subject: $2, $3, $5) },
        done: { of($0).done($1) },
        failed: { of($0).failed(String(foreign: $2)) })

    /// Ends all events, although the connection may exist for some time.
    func silence() {
        receive = { _ in }
        failed = { _ in }
        done = { _ in }
        objectRemoved = { _ in }
        runWaitingJobs = {}
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> GraphDecoder {
        let decoder = Unmanaged<GraphDecoder>.fromOpaque(context).takeUnretainedValue()
        decoder.countEvent()
        return decoder
    }

    /// Counts an event. Must be called before the event is handled.
    func countEvent() {
        eventsUntilTurn -= 1
        guard eventsUntilTurn <= 0 else { return }
        eventsUntilTurn = Self.eventsPerTurn
        runWaitingJobs()
    }

    private func global(_ id: UInt32, _ type: cpw_object_type, _ properties: Properties) {
        let id = ObjectID(id)
        switch type {
        case CPW_OBJECT_NODE: receive(.nodeAppeared(Node(id: id, properties: properties)))
        case CPW_OBJECT_DEVICE: receive(.deviceAppeared(id, properties))
        case CPW_OBJECT_SESSION: receive(.sessionObjectAppeared(id, properties))
        case CPW_OBJECT_LINK:
            guard let output = properties.objectID(.linkOutputNode), let input = properties.objectID(.linkInputNode)
            else { return }
            let client = properties.objectID(.clientID)
            receive(.linkAppeared(Link(id: id, outputNode: output, inputNode: input, client: client)))
        case CPW_OBJECT_CLIENT: receive(.clientAppeared(Client(id: id, properties: properties)))
        case CPW_OBJECT_METADATA:
            receive(.metadataAppeared(id, properties))
        default: break
        }
    }

    private func disappeared(_ id: ObjectID) {
        // First of all, because a gate may have to close.
        receive(.disappeared(id))
        routes.remove(device: id.rawValue)
        profiles.remove(device: id.rawValue)
        metadata.disappeared(id)
        objectRemoved(id)
    }

    var unfinishedListCount: Int { profiles.lists.count + routes.lists.count { $0.isOpen } }

    private func properties(_ id: UInt32, _ type: cpw_object_type, _ properties: Properties) {
        switch type {
        case CPW_OBJECT_NODE: receive(.nodeProperties(ObjectID(id), properties))
        case CPW_OBJECT_DEVICE: receive(.deviceProperties(ObjectID(id), properties))
        default: break
        }
    }

    private func nodeState(_ id: ObjectID, _ state: Int32) {
        if let state = NodeState(rawValue: state) { receive(.nodeState(id, state)) }
    }

    private func beginList(_ id: UInt32, _ parameter: cpw_device_param) {
        guard parameter.isOfRoutes else { return profiles[id, parameter] = ProfileList() }
        if let known = routes[id, parameter] { return known.begin() }
        let new = RouteList()
        routes[id, parameter] = new
        new.begin()
    }

    private func profile(_ id: UInt32, _ parameter: cpw_device_param, _ profile: cpw_profile) {
        guard let open = profiles[id, parameter] else { return }
        let profile = DeviceProfile(profile)
        open.textBytes += profile.name.utf8.count
        guard open.profiles.count < GraphLimits.routes, open.textBytes <= GraphLimits.textsOfList else {
            return refusedCount &+= 1
        }
        open.profiles.append(profile)
    }

    private func route(_ id: UInt32, _ parameter: cpw_device_param, _ route: cpw_route) {
        guard let list = routes[id, parameter] else { return }
        // An active route has the same texts as its entry in the list of all routes.
        let all = parameter == CPW_PARAM_ROUTE ? routes[id, CPW_PARAM_ENUM_ROUTE] : nil
        guard list.append(route, oneOf: all) else { return refusedCount &+= 1 }
        if let complete = list.takeIfComplete() { send(complete, parameter, of: id) }
    }

    private func endList(_ id: UInt32, _ parameter: cpw_device_param) {
        guard !parameter.isOfRoutes else {
            if let rest = routes[id, parameter]?.end() { send(rest, parameter, of: id) }
            return
        }
        let list = profiles[id, parameter]?.profiles ?? []
        profiles[id, parameter] = nil
        switch parameter {
        case CPW_PARAM_ENUM_PROFILE: receive(.deviceProfiles(ObjectID(id), list))
        case CPW_PARAM_PROFILE: receive(.deviceActiveProfile(ObjectID(id), list.first))
        default: break
        }
    }

    private func send(_ routes: [DeviceRoute], _ parameter: cpw_device_param, of id: UInt32) {
        receive(
            parameter == CPW_PARAM_ENUM_ROUTE
                ? .deviceRoutes(ObjectID(id), routes) : .deviceActiveRoutes(ObjectID(id), routes))
    }
}

extension cpw_device_param {
    fileprivate var isOfRoutes: Bool { self == CPW_PARAM_ENUM_ROUTE || self == CPW_PARAM_ROUTE }
}
