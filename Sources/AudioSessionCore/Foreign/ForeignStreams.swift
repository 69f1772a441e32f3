/// Decides which streams of programs without sessions are lowered while a session has its turn, and how far.
///
/// Whoever lowers them shows a ``DuckingMark``. All who do see the same marks, and so write the same: the deepest gain. Who
/// stops shows one of full gain, puts the streams back if nobody else lowers them, and takes it away when that is done. When
/// a mark goes all write anew, for its owner may have been killed while what it wrote was on its way. What is written are `softVolumes`, which take the
/// place of the stream's own volumes until somebody sets those, and which no session manager remembers.
package struct ForeignStreams: Sendable {
    /// So that no crowd of streams fills the memory, or the watchdog's.
    package static let limit = 100

    package enum Event: Sendable {
        /// With a mark of full gain no stream is lowered: only some are muted.
        case turnBegan(DuckingMark)
        case turnEnded
        /// These streams are to be silent, instead of those before.
        case mute(Set<ObjectID>)
        case graph(GraphEvent)
        /// PipeWire cannot be reached, or is lost.
        case failed(String)
        /// ``Action/wait(_:)`` is over.
        case timer
    }

    package enum Action: Sendable, Hashable {
        /// Connect to PipeWire.
        case open
        case close
        /// Instead of the one before.
        case show(DuckingMark)
        /// Show a ``MutingMark`` for each of these streams, by serial, and take those of others away.
        case showMuted(Set<String>)
        case graph(GraphCommand)
        /// These are to be put back if this process ends now.
        case entrust([Charge])
        case wait(Bool)
        case tell(ForeignAudioEvent)
    }

    /// A lowered stream, and what it is without that.
    package struct Charge: Sendable, Hashable {
        package var id: ObjectID
        /// Unlike the id, never another one's.
        package var serial: String
        package var volumes: [Float]
        package var isMuted: Bool

        package init(id: ObjectID, serial: String, volumes: [Float], isMuted: Bool) {
            self.id = id
            self.serial = serial
            self.volumes = volumes
            self.isMuted = isMuted
        }
    }

    private enum Phase: Sendable {
        case idle
        /// First the objects come, then what they are bound for.
        case learning(round: Int)
        case standing
        /// The mark says so, and it is being found out who else has one.
        case leaving
        /// All are put back; what happens meanwhile is followed until PipeWire has all that was written.
        case restoring
        /// PipeWire is away.
        case lost
    }

    private var phase = Phase.idle
    package private(set) var mark: DuckingMark?
    private var scene = ForeignScene()
    private var asked: UInt64 = 0
    private var entrusted: [Charge] = []
    private var isLeftToRoles = false
    private var hasFollowed = false
    private var muted: Set<ObjectID> = []
    private var shownMuted: Set<String> = []

    package init() {}

    /// Who we are there; known from the first question on.
    package var client: ObjectID?

    /// Those that are lower because of us.
    package var lowered: [ForeignStream] { scene.lowered }

    /// The streams of programs without sessions that can be heard, apart from what is written here; `nil`: unknown.
    package var audible: [ObjectID: StreamProcess?]? {
        if case .standing = phase { scene.audible } else { nil }
    }

    private var ducks: Bool { mark.map { $0.gain < TokenTraits.fullGain } ?? false }

    package mutating func receive(_ event: Event) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .turnBegan(let mark): begin(mark, &actions)
        case .turnEnded: end(&actions)
        case .mute(let streams):
            muted = streams
            if case .standing = phase { settle(&actions) }
        case .graph(.barrier(.question(let number))): if number == asked { pass(&actions) }
        case .graph(let event):
            let (commands, ended) = scene.receive(event)
            actions += commands.map(Action.graph) + ended.map { .tell(.restored($0)) }
            switch phase {
            case .standing: settle(&actions)
            case .restoring: follow(&actions)
            case .leaving: entrust(&actions)
            case .idle, .learning, .lost: break
            }
        case .failed(let reason): fail(reason, &actions)
        case .timer:
            guard case .lost = phase else { break }
            open(&actions)
        }
        return actions
    }

    // MARK: The turn

    private mutating func begin(_ mark: DuckingMark, _ actions: inout [Action]) {
        switch phase {
        case .idle:
            self.mark = mark
            open(&actions)
        case .leaving, .restoring:
            self.mark = mark
            stand(&actions)
        case .learning, .standing, .lost: break
        }
    }

    private mutating func open(_ actions: inout [Action]) {
        phase = .learning(round: 1)
        actions += [.open, ask()]
    }

    /// Whoever sees the mark can rely on what we write, for that comes right after it.
    private mutating func stand(_ actions: inout [Action]) {
        phase = .standing
        settle(&actions, showing: mark)
    }

    private mutating func end(_ actions: inout [Action]) {
        switch phase {
        case .standing:
            phase = .leaving
            muted = []
            showMuted(&actions)
            if let mark { actions.append(.show(DuckingMark(name: mark.name, gain: TokenTraits.fullGain))) }
            actions.append(ask())
        case .learning: finish(&actions)
        case .lost:
            actions.append(.wait(false))
            finish(&actions)
        case .idle, .leaving, .restoring: break
        }
    }

    private mutating func ask() -> Action {
        asked += 1
        return .graph(.barrier(.question(asked)))
    }

    /// Everything that came before the question has been told.
    private mutating func pass(_ actions: inout [Action]) {
        switch phase {
        case .learning(round: 1):
            guard !scene.isSandboxed(client) else { return refuse(&actions) }
            phase = .learning(round: 2)
            actions.append(ask())
        case .learning: stand(&actions)
        case .leaving:
            // Whoever has one writes its own gain now that ours is gone.
            guard scene.gain(besides: mark) == nil else { return finish(&actions) }
            actions += scene.settle(.init(mark: mark, includesUntouched: ducks))
            phase = .restoring
            actions.append(ask())
        case .restoring:
            follow(&actions)
            if hasFollowed {
                hasFollowed = false
                actions.append(ask())
            } else {
                scene = ForeignScene()
                finish(&actions)
            }
        case .idle, .standing, .lost: break
        }
    }

    /// What somebody wrote who came meanwhile, be it a user or the next who lowers streams, may have been lost to what we
    /// wrote without knowing of it.
    private mutating func follow(_ actions: inout [Action]) {
        let aim = ForeignScene.Aim(mark: mark, gain: scene.gain(besides: mark), includesUntouched: ducks)
        let commands = scene.settle(aim).filter(\.isCommand)
        entrust(&actions)
        hasFollowed = hasFollowed || !commands.isEmpty
        actions += commands
    }

    private mutating func refuse(_ actions: inout [Action]) {
        let ducks = ducks
        finish(&actions)
        guard ducks else { return }
        actions.append(
            .tell(.unavailable(reason: "PipeWire lets no program in a sandbox set the volumes of others")))
    }

    private mutating func finish(_ actions: inout [Action]) {
        actions += leave()
        actions.append(.close)
        phase = .idle
        mark = nil
        muted = []
    }

    /// Of the streams, of which nothing will be known any more.
    private mutating func leave() -> [Action] {
        var actions = scene.lowered.map { Action.tell(.restored($0)) }
        scene = ForeignScene()
        isLeftToRoles = false
        hasFollowed = false
        shownMuted = []
        if !entrusted.isEmpty { actions.append(.entrust([])) }
        entrusted = []
        return actions
    }

    private mutating func fail(_ reason: String, _ actions: inout [Action]) {
        if case .idle = phase { return }
        actions += leave()
        actions.append(.close)
        switch phase {
        case .learning, .standing, .lost:
            phase = .lost
            actions.append(.wait(true))
            if ducks { actions.append(.tell(.unavailable(reason: reason))) }
        case .idle, .leaving, .restoring:
            phase = .idle
            mark = nil
        }
    }

    // MARK: The streams

    private mutating func settle(_ actions: inout [Action], showing new: DuckingMark? = nil) {
        guard let mark else { return }
        let isLeftToRoles = ducks && scene.hasRolePolicy
        if isLeftToRoles && !self.isLeftToRoles { actions.append(.tell(.leftToRolePolicy)) }
        self.isLeftToRoles = isLeftToRoles
        let gain = min(mark.gain, scene.gain(besides: mark) ?? mark.gain)
        let changes = scene.settle(
            .init(mark: mark, gain: isLeftToRoles ? nil : gain, isForAll: ducks, muted: muted))
        entrust(&actions)
        if let new { actions.append(.show(new)) }
        showMuted(&actions)
        actions += changes
    }

    /// Before the streams are written to, as with the other mark.
    private mutating func showMuted(_ actions: inout [Action]) {
        let serials = scene.serials(muted)
        guard serials != shownMuted else { return }
        shownMuted = serials
        actions.append(.showMuted(serials))
    }

    private mutating func entrust(_ actions: inout [Action]) {
        let charges = scene.charges
        guard charges != entrusted else { return }
        entrusted = charges
        actions.append(.entrust(charges))
    }
}

extension ForeignStreams.Action {
    fileprivate var isCommand: Bool { if case .graph = self { true } else { false } }
}
