/// Decides which streams of programs without sessions are ducked for a session, and how deep.
///
/// A program that ducks streams publishes a ``DuckingMark``. All such programs see the same marks
/// and write the same volumes: those of the deepest gain. To stop, a program publishes a mark of
/// full gain, restores the streams if no other program ducks them, and then removes the mark. When
/// a mark is removed, all other programs write all streams again, or only the stream of a
/// ``MutingMark``, because the mark's owner may have been killed while its last write was in
/// transit. Programs write `softVolumes`, which replace the stream's own volumes until those are
/// set, and which no session manager stores.
///
/// Only the program that ducks knows its exceptions. If another program has reduced one, the
/// program that ducks restores it when a mark of the other is removed. A program that only mutes
/// therefore removes a mark after each write that may be wrong for an exception:
/// - It unmutes a stream before it removes the ``MutingMark``, and writes no more to that stream
///   while another program ducks.
/// - If another program begins to duck later, the muting program replaces its own mark, because its
///   last write may have crossed the first one of that program.
package struct UnmanagedStreams: Sendable {
    /// The limit of streams that are ducked or muted at a time, which bounds the orders of the
    /// watchdog. Programs share it: see ``FairSlots``.
    package static let limit = 100
    /// The limit for other programs to restore the streams of this process, which they ducked until
    /// its session became active.
    package static let handover = Duration.seconds(1)
    /// The limit of round trips in which changes are followed at the end.
    static let restoringRounds = 16

    package enum Event: Sendable {
        /// The session became active. With a mark of full gain, streams are only muted.
        case turnBegan(DuckingMark)
        case turnEnded
        /// These streams must be muted, and no others.
        case mute(Set<ObjectID>)
        /// Whether all streams are muted for a lost output, whether or not they run, because a
        /// stopped one runs again on the next output. They stay so if this process ends.
        case mutesForLoss(Bool)
        /// Whether all streams are muted because their output may be lost, or because they are
        /// attached to a silent session. Unlike after a loss, they are restored if this process
        /// ends.
        case mutesAll(Bool)
        /// The gain of the session that the streams follow.
        case hostedGain(UInt16)
        /// The answer to ``Action/awaitOthers``.
        case othersRestored
        /// The traces that ``Action/identify(_:)`` requested.
        case identified([StreamProcess: ProgramTrace])
        case graph(GraphEvent)
        /// PipeWire cannot be reached, or its connection was lost.
        case failed(String)
        /// The time of ``Action/wait(_:)`` has passed.
        case timer
    }

    package enum Action: Sendable, Hashable {
        /// Open a connection to PipeWire.
        case open
        case close
        /// Publish this mark in place of the former one.
        case show(DuckingMark)
        /// Publish the ``HostingMark`` of this program, by the same name.
        case showHosting(HostingMark)
        /// Read the traces of the programs of these processes.
        case identify(Set<StreamProcess>)
        /// Publish a ``MutingMark`` for each of these streams, by serial, and remove all others.
        case showMuted(Set<String>)
        case graph(GraphCommand)
        /// Let the watchdog restore these streams if this process ends. The actions that follow
        /// wait for its start, except if ``UnmanagedStreams/isUrgent``.
        case restoreAtExit([RestoreOrder])
        /// Let the watchdog restore these streams now, because there is no connection.
        case restoreByWatchdog
        case wait(Bool)
        case notify(UnmanagedAudioEvent)
        /// Report ``Event/othersRestored`` after ``UnmanagedStreams/handover``, counted from the
        /// last such action.
        case awaitOthers
        /// Report an object that PipeWire has removed, which may be an output of the hosted
        /// program.
        case reportRemoval(ObjectID)
        /// Report that a stream of a hosted program was changed by the user, or started again.
        case overruled
    }

    /// The order to restore the volumes and the mute that a stream has of its own.
    package struct RestoreOrder: Sendable, Hashable {
        package var id: ObjectID
        /// The serial of the stream, which is never reused, unlike its id.
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
        /// The objects are being read: first the registry, then the properties of bound objects.
        case learning(round: Int)
        case standing
        /// The mark has full gain, and it is being determined whether another program has a mark.
        case leaving
        /// All streams are restored. Changes are followed until PipeWire has all writes, for a
        /// limited number of round trips, because a program can change its streams forever.
        case restoring(round: Int)
        /// The connection to PipeWire is lost.
        case lost
    }

    private let scope: UnmanagedScope
    private var phase = Phase.idle
    /// The mark of this process. It is kept after the end, because the watchdog's orders contain
    /// its name, and may be sent later.
    package private(set) var mark: DuckingMark?
    private var scene: UnmanagedScene
    private var hostedGain = TokenTraits.fullGain
    private var asked: UInt64 = 0
    /// The streams that this process wrote to, for the next connection.
    private var orders: [RestoreOrder] = []
    /// The ``orders`` that the watchdog has.
    private var watchdogOrders: [RestoreOrder] = []
    private var isLeftToRoles = false
    private var hasFollowed = false
    private var muted: Set<ObjectID> = []
    private var (mutesForLoss, mutesAll) = (false, false)
    /// The published ``MutingMark``s: the serials of the muted streams.
    private var shownMutes: [ObjectID: String] = [:]

    package init(_ scope: UnmanagedScope = .allOthers) {
        self.scope = scope
        scene = UnmanagedScene(scope)
    }

    /// This process's client on the connection; known from the first round trip on.
    package var client: ObjectID?

    /// The streams that this process ducks.
    package var ducked: [UnmanagedStream] { scene.ducked }

    /// The audible streams of programs without sessions, whatever volumes are written here; `nil`
    /// if they are unknown.
    package var audible: [ObjectID: StreamProcess?]? {
        if case .standing = phase { scene.audible } else { nil }
    }

    /// The streams that follow a session of this program; `nil` if they are unknown.
    package var hosted: HostedStreams? { if case .standing = phase { scene.hosted } else { nil } }

    /// Whether writes must not wait for the watchdog: the streams may be about to reach another
    /// output. After a loss the watchdog leaves the streams muted, so its order must come first.
    package var isUrgent: Bool { mutesAll && !mutesForLoss }

    /// Whether no stream is ducked or muted, and no mark is published.
    package var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// The gain that this process needs streams to have, in thousandths.
    private var gain: UInt16 { scope.followsSession ? hostedGain : mark?.gain ?? TokenTraits.fullGain }
    private var ducks: Bool { gain < TokenTraits.fullGain }

    /// The deepest gain of other programs; `nil` if none ducks these streams.
    private var gainOfOthers: UInt16? {
        // Their marks still show a gain where the session manager ducks by role.
        guard !scene.hasRolePolicy else { return nil }
        // No other program ducks the streams of a hosted program, or those of this process while it
        // has a token.
        return switch scope {
        case .others: scene.marks.gainOfOthers
        case .hosted: nil
        case .attached(let process): scene.hasToken(of: process) ? nil : scene.marks.gainOfOthers
        }
    }

    /// Whether other programs write these streams: those that duck, or perhaps the host of this
    /// process. A host reduces streams without a ``DuckingMark``.
    private var areOthersWriting: Bool {
        guard gainOfOthers == nil else { return true }
        guard case .attached(let process) = scope, !scene.hasToken(of: process) else { return false }
        return scene.marks.haveHost(besides: process)
    }

    package mutating func receive(_ event: Event) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .turnBegan(let mark): begin(mark, &actions)
        case .turnEnded: end(&actions)
        case .mute(let streams):
            muted = streams
            if case .standing = phase { settle(&actions) }
        case .mutesForLoss(let mutes):
            guard mutes != mutesForLoss else { break }
            mutesForLoss = mutes
            scene.haveOrdersChanged = true
            switch phase {
            case .standing: settle(&actions)
            case .learning, .lost: if !mutes { restoreAtExit(orders, &actions) }
            case .idle, .leaving, .restoring: break
            }
        case .mutesAll(let mutes):
            guard mutes != mutesAll else { break }
            mutesAll = mutes
            if case .standing = phase { settle(&actions) }
        case .hostedGain(let gain):
            hostedGain = min(gain, TokenTraits.fullGain)
            if case .standing = phase { settle(&actions) }
        case .othersRestored:
            scene.distrustWrites()
            if case .standing = phase { settle(&actions) }
        case .identified(let traces):
            scene.learn(traces)
            switch phase {
            case .standing: settle(&actions)
            case .restoring: follow(&actions)
            case .idle, .learning, .leaving, .lost: break
            }
        case .graph(let event):
            let wereOthersWriting = scope.isAttached && areOthersWriting
            let change = scene.receive(event)
            guard change.answered == nil else {
                if change.answered == asked { pass(&actions) }
                break
            }
            if scope.followsSession, let id = change.removed { actions.append(.reportRemoval(id)) }
            actions += change.commands.map(Action.graph)
            if let ended = change.ended { actions.append(.notify(.restored(ended))) }
            // With this process's token, others restore its streams, perhaps after a write here.
            if wereOthersWriting, case .attached(let process) = scope, scene.hasToken(of: process) {
                actions.append(.awaitOthers)
            }
            switch phase {
            case .standing:
                settle(&actions)
                if scene.takeOverruled() { actions.append(.overruled) }
            case .restoring: follow(&actions)
            case .leaving: updateWatchdog(&actions)
            case .idle, .learning, .lost: break
            }
        case .failed(let reason): fail(reason, &actions)
        case .timer:
            guard case .lost = phase else { break }
            open(&actions)
        }
        return actions
    }

    // MARK: The session

    private mutating func begin(_ mark: DuckingMark, _ actions: inout [Action]) {
        switch phase {
        case .idle:
            self.mark = mark
            open(&actions)
        case .leaving, .restoring:
            // The watchdog knows the former name, and takes marks of others for those of programs
            // that restore the streams.
            self.mark = DuckingMark(name: self.mark?.name ?? mark.name, gain: mark.gain)
            stand(&actions)
        case .learning, .standing, .lost: break
        }
    }

    private mutating func open(_ actions: inout [Action]) {
        phase = .learning(round: 1)
        scene.marks = ProgramMarks(own: mark?.name)
        actions += [.open, ask()]
    }

    /// Publishes the mark. Other programs may rely on it, because the writes follow at once.
    private mutating func stand(_ actions: inout [Action]) {
        phase = .standing
        settle(&actions, showsMark: true)
    }

    private mutating func end(_ actions: inout [Action]) {
        switch phase {
        case .standing:
            muted = []
            settle(&actions)
            phase = .leaving
            show(mutes: [:], &actions)
            hostedGain = TokenTraits.fullGain
            if let mark, !scope.followsSession {
                actions.append(.show(DuckingMark(name: mark.name, gain: TokenTraits.fullGain)))
            }
            actions.append(ask())
        case .learning: abandon(&actions)
        case .lost:
            actions.append(.wait(false))
            abandon(&actions)
        case .idle, .leaving, .restoring: break
        }
    }

    private mutating func ask() -> Action {
        asked += 1
        return .graph(.barrier(.question(asked)))
    }

    /// Continues after a round trip, when all earlier events have arrived.
    private mutating func pass(_ actions: inout [Action]) {
        switch phase {
        case .learning(round: 1):
            guard !scene.isSandboxed(client) else { return refuse(&actions) }
            phase = .learning(round: 2)
            actions.append(ask())
        case .learning: stand(&actions)
        case .leaving:
            // Programs with another mark write their own gain when this mark is removed.
            guard gainOfOthers == nil else { return finish(&actions) }
            actions += scene.settle(.init(includesUntouched: ducks))
            identify(&actions)
            phase = .restoring(round: 1)
            actions.append(ask())
        case .restoring(let round):
            follow(&actions)
            if hasFollowed, round < Self.restoringRounds {
                hasFollowed = false
                phase = .restoring(round: round + 1)
                actions.append(ask())
            } else {
                scene = UnmanagedScene(scope)
                finish(&actions)
            }
        case .idle, .standing, .lost: break
        }
    }

    /// Writes again during restoration. A write of the user or another program may have crossed an
    /// earlier write of this process.
    private mutating func follow(_ actions: inout [Action]) {
        let others = gainOfOthers
        let aim = UnmanagedScene.Aim(gain: others, gainOfOthers: others, includesUntouched: ducks)
        let commands = scene.settle(aim).filter(\.isCommand)
        updateWatchdog(&actions)
        hasFollowed = hasFollowed || !commands.isEmpty
        actions += commands
        identify(&actions)
    }

    /// Requests the programs behind streams that are not known yet. They can become necessary at
    /// any time, when another program begins to host its descendants.
    private mutating func identify(_ actions: inout [Action]) {
        let unknown = scene.takeUnknown()
        if !unknown.isEmpty { actions.append(.identify(unknown)) }
    }

    private mutating func refuse(_ actions: inout [Action]) {
        let ducks = ducks
        finish(&actions)
        guard ducks else { return }
        actions.append(
            .notify(.unavailable(reason: "PipeWire lets no sandboxed program set the volumes of others")))
    }

    private mutating func finish(_ actions: inout [Action]) {
        leave(&actions)
        if !watchdogOrders.isEmpty { actions.append(.restoreAtExit([])) }
        (orders, watchdogOrders) = ([], [])
        actions.append(.close)
        phase = .idle
        muted = []
    }

    /// Ends without a connection, so that only the watchdog can restore the streams.
    private mutating func abandon(_ actions: inout [Action]) {
        if !watchdogOrders.isEmpty { actions.append(.restoreByWatchdog) }
        watchdogOrders = []
        finish(&actions)
    }

    /// Discards the state of the streams, which is not updated any more.
    private mutating func leave(_ actions: inout [Action]) {
        actions += scene.ducked.map { Action.notify(.restored($0)) }
        scene = UnmanagedScene(scope)
        isLeftToRoles = false
        hasFollowed = false
        shownMutes = [:]
    }

    /// Handles the loss of the connection. PipeWire may have closed only this connection, so the
    /// streams may still be ducked or muted. The next connection restores them, or the watchdog.
    private mutating func fail(_ reason: String, _ actions: inout [Action]) {
        switch phase {
        case .idle: break
        case .leaving, .restoring: abandon(&actions)
        case .learning, .standing, .lost:
            leave(&actions)
            scene = UnmanagedScene(scope, inheriting: orders)
            phase = .lost
            actions += [.close, .wait(true)]
            if ducks { actions.append(.notify(.unavailable(reason: reason))) }
        }
    }

    // MARK: The streams

    private mutating func settle(_ actions: inout [Action], showsMark: Bool = false) {
        guard let mark else { return }
        let isLeftToRoles = ducks && scene.hasRolePolicy
        if isLeftToRoles && !self.isLeftToRoles { actions.append(.notify(.leftToRolePolicy)) }
        self.isLeftToRoles = isLeftToRoles
        let others = gainOfOthers
        let gain = min(self.gain, others ?? self.gain)
        let aim = UnmanagedScene.Aim(
            gain: isLeftToRoles ? nil : gain, gainOfOthers: others, isForAll: ducks,
            isLeftToOthers: !ducks && areOthersWriting, muted: muted, mutesAll: mutesForLoss || mutesAll)
        let mayHaveCrossed = aim.isLeftToOthers && scene.aim?.isLeftToOthers == false && scene.hasWrittenUnmuted
        let changes = scene.settle(aim)
        updateWatchdog(&actions)
        if showsMark || mayHaveCrossed { show(mark, &actions) }
        // A stream is marked before it is muted, and until it is unmuted.
        show(mutes: shownMutes.merging(scene.mutes) { $1 }, &actions)
        actions += changes
        show(mutes: scene.mutes, &actions)
        identify(&actions)
    }

    private func show(_ mark: DuckingMark, _ actions: inout [Action]) {
        if case .hosted(let process) = scope {
            actions.append(.showHosting(HostingMark(name: mark.name, process: process)))
        } else {
            actions.append(.show(mark))
        }
    }

    /// Publishes the marks of these muted streams, and removes all others.
    private mutating func show(mutes: [ObjectID: String], _ actions: inout [Action]) {
        guard mutes != shownMutes else { return }
        shownMutes = mutes
        actions.append(.showMuted(Set(mutes.values)))
    }

    private mutating func updateWatchdog(_ actions: inout [Action]) {
        guard let orders = scene.takeOrders() else { return }
        self.orders = orders
        guard mutesForLoss else { return restoreAtExit(orders, &actions) }
        // A stream that was not written to on this connection may be muted for the loss.
        restoreAtExit(orders.filter { scene.written.contains($0.id) && scene.mutes[$0.id] == nil }, &actions)
    }

    private mutating func restoreAtExit(_ orders: [RestoreOrder], _ actions: inout [Action]) {
        guard orders != watchdogOrders else { return }
        watchdogOrders = orders
        actions.append(.restoreAtExit(orders))
    }
}

extension UnmanagedStreams.Action {
    fileprivate var isCommand: Bool { if case .graph = self { true } else { false } }
}
