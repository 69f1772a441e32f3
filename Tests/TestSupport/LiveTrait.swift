package import Testing

/// A suite whose tests start private PipeWire daemons.
///
/// It runs in one of a few lanes, because the processor time of hundreds of daemons and players at
/// once would be missing for the audio of each. A suite inside such a suite must not have the trait
/// again: it would wait for its parent's lane.
package struct LiveTrait: SuiteTrait, TestScoping {
    fileprivate let turn: LiveTurn

    package let isRecursive = false

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Lanes.shared.enter(turn)
        do {
            try await function()
        } catch {
            await Lanes.shared.leave()
            throw error
        }
        await Lanes.shared.leave()
    }
}

extension Trait where Self == LiveTrait {
    /// Marks a suite that starts private PipeWire daemons.
    package static var live: Self { LiveTrait(turn: .any) }
    /// Marks such a suite that takes long. It starts before the others, because otherwise the other
    /// lanes would be empty at its end.
    package static var liveFirst: Self { LiveTrait(turn: .first) }
    /// Marks a suite that starts private PipeWire daemons while no other live suite runs, because
    /// it asserts milliseconds or counts what the whole process holds.
    package static var liveAlone: Self { LiveTrait(turn: .alone) }
}

private enum LiveTurn { case first, any, alone }

/// The lanes in which live suites run side by side.
///
/// A suite that runs alone starts when no other live suite runs or waits.
private actor Lanes {
    static let shared = Lanes()

    private static let count = 4
    private var taken = 0
    private var isTakenByOne = false
    private var waiting: [LiveTurn: [CheckedContinuation<Void, Never>]] = [:]
    private var opening: Task<Void, Never>?

    func enter(_ turn: LiveTurn) async {
        await open()
        await withCheckedContinuation { continuation in
            waiting[turn, default: []].append(continuation)
            admit()
        }
    }

    func leave() {
        taken -= 1
        isTakenByOne = false
        admit()
    }

    private func admit() {
        while !isTakenByOne, taken < Self.count, let next = next(.first) ?? next(.any) {
            taken += 1
            next.resume()
        }
        guard taken == 0, let next = next(.alone) else { return }
        taken = 1
        isTakenByOne = true
        next.resume()
    }

    private func next(_ turn: LiveTurn) -> CheckedContinuation<Void, Never>? {
        guard let next = waiting[turn]?.first else { return nil }
        waiting[turn]?.removeFirst()
        return next
    }

    /// Waits until the unit tests of the same process have left the threads of Swift's pool.
    ///
    /// They compute, and a live test's next line would wait behind all of them: then a pause of
    /// seconds would be the test's own. No event announces their end, but a task that sleeps is
    /// resumed in time from then on. After five minutes the lanes open in any case.
    private func open() async {
        if opening == nil {
            opening = Task {
                let end = ContinuousClock.now + .seconds(300)
                var prompt = 0
                while prompt < 10, .now < end {
                    let wake = ContinuousClock.now + .milliseconds(10)
                    try? await Task.sleep(until: wake, clock: .continuous)
                    prompt = ContinuousClock.now - wake < .milliseconds(100) ? prompt + 1 : 0
                }
            }
        }
        await opening?.value
    }
}
