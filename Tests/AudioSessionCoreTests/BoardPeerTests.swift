import AudioSessionCore
import SessionStories
import Testing

/// A peer is killed or stopped at any point of any exchange. Each message of each process is a
/// point.
@Suite struct BoardPeerTests {
    enum Fault: CaseIterable {
        /// Whether the daemon had read what the peer sent before the peer was killed.
        case killed, killedWithUnreadMessages
        /// The peer stops for 30 seconds, in which others go on.
        case stopped
    }

    /// A is the peer. B and C must not be affected.
    static let exchanges = [
        "+B +A -A", "+B +A ~A", "+A +B -B +A -A", "+A +B -B 4s", "+B +A A=nav A=music -A", "+C +B +A -A -B",
        "+A +B +C -C -B", "+B +A down up -A", "+A +B down 500ms up -B", "+A bg:A -A +B +A", "+A +B -A -B",
    ]
    static let kinds = ["music", "prompt", "call"]
    /// Each point in a long run, otherwise every seventh. Messages and events alternate.
    private static let stride = RandomRuns.isLong ? 1 : 7

    @Test(arguments: Fault.allCases, kinds) func aFaultOfAPeerBlocksNoOtherProgram(_ fault: Fault, _ kind: String) {
        var points = 0
        for exchange in Self.exchanges {
            var point = 0
            while true {
                var play = PeerPlay(kind, fault, at: point)
                play.deliver(exchange)
                guard play.isFaultInjected else { break }
                play.check("\(exchange), a \(kind) \(fault) at point \(point)")
                point += Self.stride
            }
            #expect(point > 5, "\(exchange) has few points")
            points += point
        }
        #expect(points > 100)
    }
}

/// Runs one exchange with one fault.
private struct PeerPlay {
    private var stage: BoardStage
    private let fault: BoardPeerTests.Fault
    private var left: Int
    private(set) var isFaultInjected = false
    private var peer: Int { stage.process("A") }

    init(_ kind: String, _ fault: BoardPeerTests.Fault, at point: Int) {
        stage = BoardStage("A:\(kind) B:music C:podcast")
        self.fault = fault
        left = point
    }

    mutating func deliver(_ exchange: String) {
        for word in exchange.split(separator: " ") {
            let step = StoryStep(String(word))
            if case .time = step {
                stage.play(step)
            } else {
                // A killed or stopped peer sends nothing.
                if !isFaultInjected || !word.contains("A") { stage.perform(step) }
                run()
            }
        }
    }

    private mutating func run() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for index in stage.daemon.processes.indices {
                if stage.daemon.isUp, isReady(index, \.outbox.isEmpty) {
                    injectFaultIfDue()
                    stage.daemon.readMessage(of: index)
                    isBusy = true
                }
                if !stage.daemon.processes[index].isStopped, isReady(index, \.inbox.isEmpty) {
                    injectFaultIfDue()
                    stage.daemon.deliver(index)
                    isBusy = true
                }
            }
        }
        stage.collectEvents()
    }

    private func isReady(_ index: Int, _ isEmpty: KeyPath<BoardProcess, Bool>) -> Bool {
        let process = stage.daemon.processes[index]
        return !process.isDead && !process[keyPath: isEmpty]
    }

    private mutating func injectFaultIfDue() {
        defer { left -= 1 }
        guard left == 0 else { return }
        isFaultInjected = true
        switch fault {
        case .killed: stage.daemon.kill(peer)
        case .killedWithUnreadMessages: stage.daemon.kill(peer, isFlushed: false)
        case .stopped: stage.daemon.stop(peer, true)
        }
    }

    mutating func check(_ moment: Comment) {
        if fault == .stopped {
            // A call of a stopped program may refuse a newcomer meanwhile, as any call may.
            stage.play("+B 10s -B +C 10s -C 10s cont:A 5s -A")
        }
        stage.play("40s")
        agree(moment)
        stage.play("+B")
        #expect(stage.status("B")?.state == .active, moment)
        #expect(stage.status("B")?.gain == 1, moment)
        stage.play("-B -C 40s")
        #expect(stage.daemon.liveTokens.isEmpty, moment)
        for name in ["B", "C"] + (fault == .stopped ? ["A"] : []) { checkWords(of: name, moment) }
        if fault == .stopped { #expect(stage.unanswered == 0, moment) }
    }

    private func agree(_ moment: Comment) {
        let late = Arbitration(live: stage.daemon.liveTokens, cookie: stage.daemon.cookie)
        for process in stage.daemon.processes where !process.isDead {
            #expect(process.machine.arbitration.stack.map(\.key) == late.stack.map(\.key), moment)
            #expect(process.machine.arbitration.stack.map(\.isBlocked) == late.stack.map(\.isBlocked), moment)
        }
    }

    /// Began and ended alternate. Only active sessions are ducked, and only active and advised ones
    /// are interrupted.
    private func checkWords(of name: String, _ moment: Comment) {
        var state = "off"
        for word in stage.words(name).split(separator: " ") {
            let event = String(word.prefix { $0.isLetter })
            switch event {
            case "on": #expect(state != "on", moment)
            case "began": #expect(state == "on" || state == "ended+", moment)
            case "ended":
                #expect(state == "began", moment)
                state = String(word)
                continue
            case "duck":
                #expect(state == "on", moment)
                continue
            case "priority", "background", "services": continue
            default: break
            }
            state = event
        }
        #expect(state != "on" && state != "began", moment)
    }
}
