extension UnmanagedScene {
    /// The intended state of unmanaged streams.
    struct Aim: Sendable, Hashable {
        /// The mark of this process.
        var mark: DuckingMark?
        /// The gain in thousandths; `nil` for the streams' own volumes.
        var gain: UInt16?
        /// The deepest gain of other programs; `nil` if no other program ducks.
        var gainOfOthers: UInt16?
        /// Whether the gain applies to all unmanaged streams, or only to those already written to.
        var isForAll = false
        /// The streams to mute.
        var muted: Set<ObjectID> = []
        /// Whether streams count that this process never wrote to, because another program may have
        /// left them ducked.
        var includesUntouched = false
    }

    /// Evaluates the streams whose state or aim has changed.
    mutating func settle(_ aim: Aim) -> [UnmanagedStreams.Action] {
        if aim != self.aim { isAllUnsettled = true }
        self.aim = aim
        guard isAllUnsettled || !unsettled.isEmpty else { return [] }
        if isAllUnsettled { isAnyRefused = false }
        let ids = isAllUnsettled ? streams.keys.sorted() : unsettled.sorted()
        (unsettled, isAllUnsettled) = ([], false)
        let mutedByOthers = marks.demand(besides: aim.mark?.name).muted
        var actions: [UnmanagedStreams.Action] = []
        for id in ids { actions += settle(id, aim, mutedByOthers) }
        // A stream after the refused one was restored.
        if isAnyRefused, reducedCount < UnmanagedStreams.limit { isAllUnsettled = true }
        return actions
    }

    private mutating func settle(
        _ id: ObjectID, _ aim: Aim, _ mutedByOthers: Set<String>
    ) -> [UnmanagedStreams.Action] {
        guard var stream = streams[id] else { return [] }
        let former = stream
        let kind = kind(of: stream)
        note(stream, id, kind, aim)
        guard kind != .unknown else { return [] }
        let gain = aim.gain ?? TokenTraits.fullGain
        let mayBe = kind == .included && (former.isReduced || reducedCount < UnmanagedStreams.limit)
        if kind == .included && !mayBe { isAnyRefused = true }
        let isDucked = mayBe && aim.isForAll && gain < TokenTraits.fullGain
        let isMuted = mayBe && aim.muted.contains(id) && !isSpared(stream)
        // Watchdogs leave all streams, exceptions included, to the programs that still duck. A host
        // is none of these, and changes no streams of other programs.
        let isLeft = kind == .excepted && !scope.isHosted && stream.isLeft && (aim.isForAll || aim.includesUntouched)
        let isTouched = stream.written != nil || aim.includesUntouched && mayBe || isLeft
        guard isTouched || isDucked || isMuted else { return [] }
        let unmuted =
            switch kind {
            case .included where mayBe: gain
            case .excepted: aim.gainOfOthers ?? TokenTraits.fullGain
            case .included, .unknown, .none: TokenTraits.fullGain
            }
        let isSilent = isMuted || (mayBe || kind == .excepted) && mutedByOthers.contains(stream.serial)
        stream.isLeft = false
        guard let command = stream.write(isSilent ? 0 : unmuted, id, isDucked: isDucked) else { return [] }
        streams[id] = stream
        reducedCount += (stream.isReduced ? 1 : 0) - (former.isReduced ? 1 : 0)
        if former.written == nil { haveChargesChanged = true }
        switch (former.isLowered, stream.isLowered) {
        case (false, true):
            let gain = Float(gain) / Float(TokenTraits.fullGain)
            return [.graph(command), .notify(.ducked(self.stream(id, stream), gain: gain))]
        case (true, false): return [.graph(command), .notify(.restored(self.stream(id, stream)))]
        default: return [.graph(command)]
        }
    }

    /// Updates the results that do not depend on what is written.
    private mutating func note(_ stream: Stream, _ id: ObjectID, _ kind: Kind, _ aim: Aim) {
        if kind == .unknown, let process = stream.process { unknown.insert(process) }
        if kind == .included, stream.hasSound, stream.isRunning || countsStopped {
            if audible[id] != .some(stream.process) { audible.updateValue(stream.process, forKey: id) }
        } else if audible[id] != nil {
            audible.removeValue(forKey: id)
        }
        let isMuted = aim.muted.contains(id) && [.included, .unknown].contains(kind) && !isSpared(stream)
        let serial = isMuted && !stream.serial.isEmpty ? stream.serial : nil
        if mutes[id] != serial { mutes[id] = serial }
    }

    /// Returns the processes whose programs must be identified, once.
    mutating func takeUnknown() -> Set<StreamProcess> {
        defer { unknown = [] }
        return unknown
    }

    var lowered: [UnmanagedStream] {
        streams.keys.sorted().compactMap { id in
            streams[id].flatMap { $0.isLowered ? stream(id, $0) : nil }
        }
    }

    /// Returns the orders for the watchdog if they may have changed: all streams written to,
    /// because the last write may be in transit.
    mutating func takeCharges() -> [UnmanagedStreams.Charge]? {
        guard haveChargesChanged else { return nil }
        haveChargesChanged = false
        return streams.keys.sorted().compactMap { id in
            guard let stream = streams[id], stream.written != nil else { return nil }
            return .init(id: id, serial: stream.serial, volumes: stream.volumes, isMuted: stream.isMuted)
        }
    }
}
