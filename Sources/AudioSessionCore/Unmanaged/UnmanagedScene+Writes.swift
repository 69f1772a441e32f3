extension UnmanagedScene {
    /// The intended state of unmanaged streams.
    struct Aim: Sendable, Hashable {
        /// The gain in thousandths; `nil` for the streams' own volumes.
        var gain: UInt16?
        /// The deepest gain of other programs; `nil` if no other program ducks.
        var gainOfOthers: UInt16?
        /// Whether the gain applies to all unmanaged streams, or only to those already written to.
        var isForAll = false
        /// Whether only other programs write. They write all streams that this one does not mute.
        /// If they may only be hosts, this program still restores the streams that it has reduced.
        var isLeftToOthers = false
        /// The streams to mute.
        var muted: Set<ObjectID> = []
        /// Whether all unmanaged streams are to be muted.
        var mutesAll = false
        /// Whether streams that this process never wrote to count, because another program may have
        /// left them ducked.
        var includesUntouched = false
    }

    /// Evaluates the streams whose state or aim has changed.
    mutating func settle(_ aim: Aim) -> [UnmanagedStreams.Action] {
        take(aim)
        guard isAllUnsettled || !unsettled.isEmpty else { return [] }
        let concerned = isAllUnsettled ? Set(streams.keys) : unsettled
        (unsettled, isAllUnsettled) = ([], false)
        for id in concerned.sorted() { evaluate(id, aim) }
        // The evaluation notes the streams that got or lost a slot.
        let ids = concerned.union(unsettled).sorted()
        unsettled = []
        var actions: [UnmanagedStreams.Action] = []
        for id in ids { actions += write(id) }
        return actions
    }

    /// Sets the aim, and notes the streams that the change concerns.
    mutating func take(_ aim: Aim) {
        guard aim != self.aim else { return }
        var former = self.aim
        // Any program's streams can begin and stop at any rate, which changes the set of streams to
        // mute. That must not cost a pass over all streams.
        unsettled.formUnion(aim.muted.symmetricDifference(former?.muted ?? []))
        former?.muted = aim.muted
        if aim != former { isAllUnsettled = true }
        self.aim = aim
    }

    private mutating func evaluate(_ id: ObjectID, _ aim: Aim) {
        guard let stream = streams[id] else { return }
        let kind = kind(of: stream)
        note(stream, id, kind)
        let goal = goal(of: stream, id, kind, aim)
        streams[id]?.goal = goal
        // A stream whose program is not known yet keeps what it has.
        guard kind != .unknown else { return }
        let isReduced = goal.gain.map { $0 < TokenTraits.fullGain } ?? false
        unsettled.formUnion(isReduced ? slots.add(id, of: slotOwner(of: stream)) : slots.remove(id))
    }

    private func goal(of stream: Stream, _ id: ObjectID, _ kind: Kind, _ aim: Aim) -> Stream.Goal {
        var goal = Stream.Goal()
        goal.isMuted = isMuted(stream, id, kind, aim)
        guard kind != .unknown else { return goal }
        let gain = aim.gain ?? TokenTraits.fullGain
        goal.isDucked = kind == .included && aim.isForAll && gain < TokenTraits.fullGain
        // Watchdogs leave all streams, exceptions included, to the programs that still duck, also
        // where these leave ducking to the session manager. A host is none of these, and changes no
        // streams of other programs.
        let mayBeLeft = kind != .none && !scope.followsSession && stream.isLeft
        let isLeft = mayBeLeft && (aim.isForAll || aim.includesUntouched)
        let isTouched = stream.isTouched || aim.includesUntouched && kind == .included || isLeft
        guard isTouched || goal.isDucked || goal.isMuted else { return goal }
        // The exceptions of other programs are unknown here. Those programs restore them when the
        // mark of a mute is removed, so nothing is written after that.
        let isRestored = aim.gainOfOthers != nil || !stream.isReduced
        if aim.isLeftToOthers, kind != .none, !goal.isMuted, mutes[id] == nil, isRestored { return goal }
        let isMutedByOthers = [.included, .excepted].contains(kind) && marks.areOthersMuting(stream.serial)
        goal.gain =
            switch kind {
            case _ where goal.isMuted || isMutedByOthers: 0
            case .included: gain
            case .excepted: aim.gainOfOthers ?? TokenTraits.fullGain
            case .unknown, .none: TokenTraits.fullGain
            }
        return goal
    }

    /// Whether this process mutes the stream. One whose program is not known any more stays muted.
    private func isMuted(_ stream: Stream, _ id: ObjectID, _ kind: Kind, _ aim: Aim) -> Bool {
        let isNeeded =
            switch kind {
            case .included: aim.mutesAll || aim.muted.contains(id)
            case .unknown: aim.mutesAll && stream.goal.isMuted || aim.muted.contains(id)
            case .excepted, .none: false
            }
        return isNeeded && !isSpared(stream)
    }

    /// Writes the goal of a stream; without a slot, full gain if the stream was written to before.
    private mutating func write(_ id: ObjectID) -> [UnmanagedStreams.Action] {
        guard var stream = streams[id] else { return [] }
        let former = stream
        let hasSlot = slots.contains(id)
        noteMute(stream, id, hasSlot)
        guard let gain = stream.goal.gain, hasSlot || gain == TokenTraits.fullGain || former.isTouched else {
            return []
        }
        stream.isLeft = false
        let next = hasSlot ? gain : TokenTraits.fullGain
        guard let command = stream.write(next, id, isDucked: hasSlot && stream.goal.isDucked) else { return [] }
        streams[id] = stream
        if written.insert(id).inserted || stream.isReduced != former.isReduced { haveOrdersChanged = true }
        switch (former.isDucked, stream.isDucked) {
        case (false, true):
            let gain = Float(aim?.gain ?? TokenTraits.fullGain) / Float(TokenTraits.fullGain)
            return [.graph(command), .notify(.ducked(self.stream(id, stream), gain: gain))]
        case (true, false): return [.graph(command), .notify(.restored(self.stream(id, stream)))]
        default: return [.graph(command)]
        }
    }

    /// Updates the results that do not depend on what is written.
    private mutating func note(_ stream: Stream, _ id: ObjectID, _ kind: Kind) {
        if kind == .unknown, let process = stream.process { unknown.insert(process) }
        if kind == .included, stream.hasSound, stream.isRunning {
            if audible[id] != .some(stream.process) { audible.updateValue(stream.process, forKey: id) }
        } else if audible[id] != nil {
            audible.removeValue(forKey: id)
        }
        guard scope.followsSession, kind != .unknown else { return }
        let isHosted = kind == .included && !isSpared(stream)
        hosted.update(id, isHosted: isHosted, isAudible: audible[id] != nil)
    }

    /// Updates whether other programs learn that this one mutes the stream.
    private mutating func noteMute(_ stream: Stream, _ id: ObjectID, _ hasSlot: Bool) {
        let serial = hasSlot && stream.goal.isMuted && !stream.serial.isEmpty ? stream.serial : nil
        guard mutes[id] != serial else { return }
        mutes[id] = serial
        // After a loss the watchdog does not restore muted streams.
        haveOrdersChanged = true
    }

    /// Returns the processes whose programs must be identified, once.
    mutating func takeUnknown() -> Set<StreamProcess> {
        defer { unknown = [] }
        return unknown
    }

    var ducked: [UnmanagedStream] {
        written.sorted().compactMap { id in
            streams[id].flatMap { $0.isDucked ? stream(id, $0) : nil }
        }
    }

    /// Whether this process wrote to a stream that it does not mute now.
    var hasWrittenUnmuted: Bool { written.contains { mutes[$0] == nil } }

    /// Returns the orders for the watchdog if they may have changed: those of all reduced streams,
    /// and of a limited number of others that this process wrote to, on this connection or an
    /// earlier one. The last write to these may be in transit, or other programs may still duck
    /// them.
    mutating func takeOrders() -> [UnmanagedStreams.RestoreOrder]? {
        guard haveOrdersChanged else { return nil }
        haveOrdersChanged = false
        let reduced = written.filter { slots.contains($0) && streams[$0]?.isReduced == true }
        let unwritten = inherited.keys.filter { streams[$0]?.isInherited == true && !written.contains($0) }
        let others = written.subtracting(reduced).union(unwritten).sorted().prefix(UnmanagedStreams.limit)
        return reduced.union(others).sorted().compactMap { id -> UnmanagedStreams.RestoreOrder? in
            guard written.contains(id), let stream = streams[id] else { return inherited[id] }
            return UnmanagedStreams.RestoreOrder(
                id: id, serial: stream.serial, volumes: stream.volumes, isMuted: stream.isMuted)
        }
    }
}
