import FoundationEssentials
import TestSupport
import Testing

private let minutes = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_MINUTES"].flatMap { Int($0) } ?? 0

/// All kinds of events at once, for as long as requested. `Scripts/soak --minutes N` runs it.
@Suite(.liveAlone, .serialized, .enabled(if: minutes > 0)) struct LongSoakTests {
    @Test func twentyProgramsAgreeAfterRandomCommands() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["AUDIOSESSIONS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...99_999)
        print("soak: \(minutes) min with twenty programs at random, seed \(seed)")
        let files = try openFiles()
        try await soak(seed)
        // A connection ends on its own thread, which may still run.
        var left = files
        try? await waitUntil("no more open files than before") {
            left = try openFiles()
            return left.count <= files.count + 1
        }
        // Dispatch keeps a timer for each clock from its first use on.
        #expect(left.count <= files.count + 1, "\(left), not \(files)")
    }

    private func soak(_ seed: UInt64) async throws {
        let run = try await SoakRun(seed: seed)
        do {
            let start = ContinuousClock.now
            // The run rests at the beginning, four times meanwhile and at the end, and halts in the
            // middle of each part.
            try await run.rest()
            for part in 1...10 {
                try await run.play(until: start + .seconds(minutes * 6 * part))
                try await part % 2 == 0 ? run.rest() : run.halt("after a tenth")
            }
            try await run.end()
        } catch {
            // The output until then may show the reason.
            for fault in SoakLedger(run.all).faults.prefix(20) { print("soak: \(fault)") }
            await run.clear()
            throw error
        }
        try report(run, SoakLedger(run.all))
        await run.clear()
    }

    /// ThreadSanitizer holds several words for each one of a program's, and more the longer it
    /// runs.
    private static let isMemoryItsOwn = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SANITIZER"] == nil

    private func report(_ run: SoakRun, _ ledger: SoakLedger) throws {
        let counts = run.counts
        func count(_ name: String) -> Int { counts[name] ?? 0 }
        let memory = run.usage.map { "\($0.memory)" }.joined(separator: ", ")
        let files = run.usage.map { "\($0.files)" }.joined(separator: ", ")
        print(
            """
            soak: \(run.all.count) programs in all, \(count("commands")) commands, each answered once
              happened: \(count("kills")) killed, \(count("stops")) stopped (one for \(Int(run.longestStop / .seconds(1))) s), \
            PipeWire restarted \(count("restarts of PipeWire")) times, \
            its session manager \(count("restarts of the session manager")) times, \
            which took the card again within \(Int(run.longestTaking / .seconds(1)) + 1) s; \
            \(count("jacks")) jacks, \(count("silent modes")) times silent mode
              received: \(ledger.interruptions) interruptions, of which \(ledger.ends) ended and \(ledger.takenBack) were taken \
            back, \(ledger.duckings) times another gain, \(ledger.losses) losses of PipeWire
              refused: \(ledger.refusals)
              all agreed at \(count("halts")) halts, also with who came then; at most one had the turn
              at rest, the largest of those who were there all the time: \(memory) KiB, \(files) files
              faults: \(ledger.faults.isEmpty ? "none" : "\(ledger.faults.count)")
            """)
        #expect(ledger.faults.isEmpty, "\(ledger.faults.prefix(20))")
        // The first rest precedes all playing. Objects that a program creates on first use (timers,
        // a tone) and the allocator keeps exist by the middle. A leak also grows in the second
        // half.
        let later = run.usage.dropFirst()
        let early = later.prefix((later.count + 1) / 2)
        let last = try #require(later.last)
        #expect(last.files <= early.map(\.files).max() ?? 0, "files: \(files)")
        guard Self.isMemoryItsOwn else { return }
        #expect(last.memory <= (early.map(\.memory).max() ?? 0) + 2048, "KiB: \(memory)")
    }
}
