import PipeWireGraph
import Testing

/// The whole output of all programs of a soak, and the invariants that it must satisfy.
struct SoakLedger {
    private(set) var interruptions = 0
    private(set) var ends = 0
    private(set) var takenBack = 0
    private(set) var losses = 0
    private(set) var duckings = 0
    private(set) var refusals = 0
    private(set) var faults: [String] = []
    private var ranks: [String: Int] = [:]
    private var owners: [String: Int] = [:]

    init(_ programs: [SoakProgram]) {
        for program in programs {
            guard let session = program.session else { continue }
            ranks[session] = program.kind.rank
            owners[session] = program.id
        }
        for program in programs { read(program) }
    }

    private mutating func read(_ program: SoakProgram) {
        let received = program.received()
        var life = Life()
        for value in received { note(value, &life, program) }
        let replies = received.filter { $0["reply"] != nil }.compactMap { $0["reply"]?.text }
        let words = program.commands.map { String($0.prefix { $0 != " " }) }
        let isComplete = program.isKilled ? words.starts(with: replies) : words == replies
        expect(isComplete, program, "\(words.count) commands and \(replies.count) replies, or not in their order")
        expect(program.strangeLines.isEmpty, program, "printed \(program.strangeLines.prefix(5))")
        expect(program.isKilled || !life.isInterrupted, program, "its last interruption never ended")
        expect(program.isKilled || !life.isLost, program, "PipeWire's last loss was never made good")
    }

    /// The state of one program according to its output so far.
    private struct Life {
        var isActive = false
        var isInterrupted = false
        /// Whether the session was advised to resume, and has not yet.
        var isAdvised = false
        var isLost = false
        /// The last reply and the last event, with their times.
        var latest: [Bool: (time: Int, value: JSONValue)] = [:]
    }

    private mutating func note(_ value: JSONValue, _ life: inout Life, _ program: SoakProgram) {
        // A change of route is notified when it has settled, with the time at which it began.
        // Replies and events are written by two threads, so the later of two may be written first.
        if let time = value["t"]?.integer, value["previous"] == nil {
            let isReply = value["reply"] != nil
            let former = life.latest[isReply]
            expect(
                time >= former?.time ?? 0, program,
                "time goes backwards in \(value), after \(former.map { "\($0.value)" } ?? "nothing")")
            life.latest[isReply] = (time, value)
        }
        if value["ok"]?.text == "false" { refusals += 1 }
        switch value["event"]?.text {
        case "stateChanged":
            switch value["state"]?.text {
            case "active":
                if life.isInterrupted { takenBack += 1 }
                (life.isActive, life.isInterrupted, life.isAdvised) = (true, false, false)
            // It deactivated, or its claim lapsed: no end of the interruption follows.
            case "inactive": (life.isActive, life.isInterrupted) = (false, false)
            default: break
            }
        case "interruptionBegan":
            interruptions += 1
            let hasTurn = life.isActive || life.isAdvised
            expect(hasTurn && !life.isInterrupted, program, "interrupted without being active, or advised to be")
            (life.isInterrupted, life.isAdvised) = (true, false)
            checkCause(value["by"], program)
        case "interruptionEnded":
            ends += 1
            expect(life.isInterrupted, program, "an interruption ended that had not begun")
            life.isInterrupted = false
            life.isActive = false
            life.isAdvised = value["shouldResume"]?.text == "true"
        case "ducking":
            duckings += 1
            expect(life.isActive && !life.isInterrupted, program, "ducked without being active")
            for cause in value["by"]?.elements ?? [] { checkCause(cause, program) }
        case "mediaServicesLost":
            losses += 1
            expect(!life.isLost, program, "PipeWire was lost twice")
            life.isLost = true
        case "mediaServicesReset":
            expect(life.isLost, program, "PipeWire returned without a loss")
            life.isLost = false
        default: break
        }
    }

    /// The peer exists, is the program that PipeWire reports, and has no lower priority.
    private mutating func checkCause(_ cause: JSONValue?, _ program: SoakProgram) {
        guard let session = cause?["session"]?.text, let owner = owners[session] else {
            return expect(false, program, "caused by a program that does not exist: \(String(describing: cause))")
        }
        expect(
            cause?["pid"]?.integer == owner, program,
            "shown another process than \(owner): \(String(describing: cause))")
        expect(ranks[session] ?? 0 >= program.kind.rank, program, "caused by a session of lower priority")
    }

    private mutating func expect(_ isTrue: Bool, _ program: SoakProgram, _ what: String) {
        if !isTrue { faults.append("program \(program.number): \(what)") }
    }
}
