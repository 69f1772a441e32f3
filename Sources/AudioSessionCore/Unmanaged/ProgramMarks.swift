/// The marks of programs that duck, mute or host others.
///
/// Marks of sandboxed programs are not kept, because such programs may not write to streams.
package struct ProgramMarks: Sendable {
    private enum Mark: Sendable {
        case ducking(DuckingMark)
        case muting(MutingMark)
        case hosting(process: Int)
    }

    private var marks: [ObjectID: Mark] = [:]
    /// The marks of each process, so that no program takes the capacity of others.
    private var accounts = ObjectAccounts(limit: 4096, ofOneProcess: 256)
    /// The number of marks of each process that hosts its descendants.
    private var hostCounts: [Int: Int] = [:]
    /// The name of this program's own marks, which are not counted as ducking or muting.
    private let own: String?
    /// The number of other programs' marks of each gain below full gain.
    private var gainCounts: [UInt16: Int] = [:]
    /// The number of other programs' marks that mute a stream, by the stream's serial.
    private(set) var muteCounts: [String: Int] = [:]
    /// The deepest gain of other programs; `nil` if none ducks streams.
    private(set) var gainOfOthers: UInt16?

    /// Makes an empty set of marks.
    /// - Parameter own: The name of this program's marks; `nil` if it ducks and mutes no streams.
    package init(own: String? = nil) { self.own = own }

    /// The processes that host their descendants.
    package var hosts: Set<Int> { Set(hostCounts.keys) }

    var hasHosts: Bool { !hostCounts.isEmpty }

    /// Whether another program mutes the stream with this serial.
    func areOthersMuting(_ serial: String) -> Bool { muteCounts[serial] != nil }

    /// Whether another process than this one hosts its descendants.
    func haveHost(besides process: Int) -> Bool { hostCounts.keys.contains { $0 != process } }

    /// Whether any of these processes hosts its descendants.
    func haveHost(among processes: some Sequence<Int>) -> Bool { processes.contains { hostCounts[$0] != nil } }

    /// Adds an object if it is a mark that counts.
    /// - Returns: Whether it was added.
    @discardableResult
    package mutating func appeared(
        _ id: ObjectID, _ properties: Properties, _ clients: [ObjectID: Client]
    ) -> Bool {
        let clientID = properties.objectID(.clientID)
        let client = clientID.flatMap { clients[$0] }
        guard marks[id] == nil, let mark = Self.mark(properties, of: client) else { return false }
        let owner = clientID.map(clients.process(of:))
        guard accounts.admit(id, of: owner) else { return false }
        marks[id] = mark
        count(mark, 1)
        return true
    }

    /// Removes the mark of an object.
    /// - Returns: Whether the object was a mark.
    @discardableResult
    package mutating func disappeared(_ id: ObjectID) -> Bool {
        guard let mark = marks.removeValue(forKey: id) else { return false }
        accounts.remove(id)
        count(mark, -1)
        return true
    }

    /// Returns the serial of the stream that the mark of an object mutes; `nil` if it mutes none.
    func serial(mutedBy id: ObjectID) -> String? {
        if case .muting(let mark) = marks[id] { mark.serial } else { nil }
    }

    private static func mark(_ properties: Properties, of client: Client?) -> Mark? {
        if client?.isSandboxed ?? false { return nil }
        if let mark = DuckingMark(properties) { return .ducking(mark) }
        if let mark = MutingMark(properties) { return .muting(mark) }
        guard let mark = HostingMark(properties), mark.counts(of: client) else { return nil }
        return .hosting(process: mark.process)
    }

    /// Counts a mark, so that an event costs no pass over all marks.
    private mutating func count(_ mark: Mark, _ change: Int) {
        switch mark {
        case .ducking(let mark) where mark.name != own && mark.gain < TokenTraits.fullGain:
            gainCounts.add(change, to: mark.gain)
            gainOfOthers = gainCounts.keys.min()
        case .muting(let mark) where mark.name != own: muteCounts.add(change, to: mark.serial)
        case .hosting(let process): hostCounts.add(change, to: process)
        case .ducking, .muting: break
        }
    }
}
