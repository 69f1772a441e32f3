import AllocationCounter
import AudioSessionTestKit
import BenchmarkSupport
import CostStage
import Glibc

extension Stage {
    /// The allocations of one event after a number of warm-up events, by peer. Those of the handler
    /// count too; it reads all its data.
    func allocations(_ events: Int) async throws -> [[String]] {
        var rows: [[String]] = []
        for (what, kind) in [("a sink comes or goes", "nodes"), ("a jack is plugged or pulled", "jack")] {
            for peer in Peer.all where kind == "nodes" || peer.knowsJacks {
                let name = "allocations per event, \(what)"
                let program = startCounted(peer.program, [kind] + peer.options.dropFirst())
                guard let program, let counts = try await allocations(of: program, kind, events) else {
                    rows.append([name, peer.name, "-", "left out"])
                    continue
                }
                if peer.name == Peer.ours.name {
                    rows.append([name, "AudioSessions, its own thread", decimal(counts.loop, 1), ""])
                }
                rows.append([name, peer.name, decimal(counts.all, 1), ""])
            }
        }
        return rows
    }

    /// The allocations of one event; `nil` without a count.
    private func allocations(
        of program: Program, _ kind: String, _ events: Int
    ) async throws -> (all: Double, loop: Double)? {
        defer { program.stop() }
        try await cause(20, of: kind, program)
        let before = AllocationCounts(self, program)
        try await cause(events, of: kind, program)
        let after = AllocationCounts(self, program)
        guard before.all > 0, after.all >= before.all, after.loop >= before.loop else { return nil }
        let number = Double(2 * events)
        return (Double(after.all - before.all) / number, Double(after.loop - before.loop) / number)
    }

    /// Each step has two events.
    private func cause(_ times: Int, of kind: String, _ program: Program) async throws {
        for number in 0..<times {
            for isThere in [true, false] {
                if kind == "jack" {
                    _ = try await isThere ? card.plug("headphones") : card.unplug("headphones")
                } else {
                    cause.send("\(isThere ? "appear" : "go") bench-cost-\(number)")
                }
                pause(milliseconds: 10)
                while program.nextLine(by: 0) != nil {}
            }
        }
        pause(milliseconds: 100)
    }

    fileprivate var countsFile: String { pipeWire.directory + "/allocations" }

    private func startCounted(_ program: String, _ arguments: [String]) -> Program? {
        // Otherwise the file of the previous peer would be read if this one counts nothing.
        unlink(countsFile)
        let more = ["LD_PRELOAD": Program.besideThis("liballocation-counter.so"), "ALLOCATION_COUNTS": countsFile]
        let environment = pipeWire.environment.merging(more) { _, new in new }
        guard let program = try? Program(Program.besideThis(program), arguments, environment: environment),
            program.wait(for: "ready", seconds: 30)
        else { return nil }
        return program
    }
}

/// The counts of all threads of a process, and of the library's own thread.
private struct AllocationCounts {
    private(set) var all: UInt64 = 0
    private(set) var loop: UInt64 = 0

    init(_ stage: Stage, _ program: Program) {
        var slots = [allocation_slot](repeating: allocation_slot(), count: Int(ALLOCATION_SLOTS))
        let file = open(stage.countsFile, O_RDONLY)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = slots.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        let loops = Usage.loops(of: program.process)
        for slot in slots where slot.thread != 0 {
            all += slot.count
            if loops.contains(slot.thread) { loop += slot.count }
        }
    }
}
