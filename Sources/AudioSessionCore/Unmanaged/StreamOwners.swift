/// The streams of each client and process, so that an event costs no search among all streams.
struct StreamOwners: Sendable {
    private var streamsOfClient: [ObjectID: Set<ObjectID>] = [:]
    private var streamsOfProcess: [StreamProcess: Set<ObjectID>] = [:]

    func streams(of client: ObjectID) -> Set<ObjectID> { streamsOfClient[client] ?? [] }

    func streams(of process: StreamProcess) -> Set<ObjectID> { streamsOfProcess[process] ?? [] }

    /// Returns the streams of a process, including those that only their program assigns to it.
    func streams(ofProcess id: Int) -> Set<ObjectID> {
        streams(of: StreamProcess(id: id, isVerified: true)).union(
            streams(of: StreamProcess(id: id, isVerified: false)))
    }

    mutating func insert(_ stream: ObjectID, _ client: ObjectID?, _ process: StreamProcess?) {
        if let client { streamsOfClient[client, default: []].insert(stream) }
        if let process { streamsOfProcess[process, default: []].insert(stream) }
    }

    mutating func remove(_ stream: ObjectID, _ client: ObjectID?, _ process: StreamProcess?) {
        if let client { streamsOfClient.remove(stream, from: client) }
        if let process { streamsOfProcess.remove(stream, from: process) }
    }
}
