/// The streams that follow a session of this program, those of a hosted program or attached ones,
/// apart from those that are never muted.
package struct HostedStreams: Sendable, Hashable {
    package private(set) var all: Set<ObjectID>
    /// The streams that are audible, whatever volumes the host writes.
    package private(set) var audible: Set<ObjectID>

    package init(_ all: Set<ObjectID> = [], audible: Set<ObjectID> = []) {
        self.all = all
        self.audible = audible
    }

    mutating func update(_ id: ObjectID, isHosted: Bool, isAudible: Bool) {
        if isHosted { all.insert(id) } else { all.remove(id) }
        if isHosted && isAudible { audible.insert(id) } else { audible.remove(id) }
    }
}
