import AudioSessions

/// The version of all the tool's JSON formats. It changes only when a program that reads them would go wrong; new keys
/// and new events do not change it.
let formatVersion = 1

/// What `audiosession status --json` prints.
struct StatusLine: Encodable {
    private let format = formatVersion
    private let t: UInt64
    private let route: RoutePayload
    private let availableInputs: [PortPayload]
    private let availableOutputs: [PortPayload]
    private let pipeWireLibrary: String

    init(_ status: Status) {
        t = status.time.nanoseconds
        route = RoutePayload(status.route)
        availableInputs = status.inputs.map(PortPayload.init)
        availableOutputs = status.outputs.map(PortPayload.init)
        pipeWireLibrary = status.libraryVersion
    }
}

struct RoutePayload: Encodable {
    let inputs: [PortPayload]
    let outputs: [PortPayload]

    init(_ route: RouteDescription) {
        inputs = route.inputs.map(PortPayload.init)
        outputs = route.outputs.map(PortPayload.init)
    }
}

struct PortPayload: Encodable {
    let type: String
    let name: String
    let uid: String
    let uncertain: Bool

    init(_ port: PortDescription) {
        type = port.type.rawValue
        name = port.name
        uid = port.uid
        uncertain = port.isUncertain
    }
}
