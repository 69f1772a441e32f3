import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

private let soakSeconds = getenv("AUDIOSESSIONS_SOAK_HOSTILE").flatMap { Int(String(cString: $0)) }

/// The wait of others while a program slows them down, measured on an idle computer.
///
/// For `Scripts/soak hostile`, which sets `AUDIOSESSIONS_SOAK_HOSTILE` to the seconds that each
/// attack lasts.
@Suite(.liveAlone, .serialized, .enabled(if: soakSeconds != nil), .timeLimit(.minutes(20)))
struct HostileSoakTests {
    private static let longestAnswer = Duration.milliseconds(300)
    private static let longestConnection = Duration.milliseconds(500)
    private static let longestNoise = Duration.milliseconds(50)

    /// Four programs leave capacity for the tokens of the measured activations.
    @Test(arguments: [
        ("hold", 1022, 1), ("refused", 1022, 1), ("refused", 1022, 3), ("restored", 1010, 4), ("cards", 60, 1),
        ("defaults", 200, 1), ("silent", 1, 1),
    ])
    func otherProgramsAreAnsweredInTime(_ kind: String, _ count: Int, _ programs: Int) async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        var figures = Figures()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(soakSeconds ?? 1)
        repeat {
            var attackers: [ChildProcess] = []
            for _ in 0..<programs { attackers.append(try await Flood.hold(kind, count, music, pipeWire)) }
            figures.connection = max(figures.connection, try await connect(pipeWire))
            figures.answer = max(figures.answer, try await answer(music))
            for attacker in attackers { attacker.signal(SIGKILL) }
            figures.answer = max(figures.answer, try await answer(music))
            for attacker in attackers { await attacker.exited() }
            figures.answer = max(figures.answer, try await answer(music))
            figures.rounds += 1
        } while clock.now < end
        print("hostile: \(programs) x \(kind) \(count): \(figures)")
        #expect(figures.answer <= Self.longestAnswer)
        #expect(figures.connection <= Self.longestConnection)
        await music.manager.close()
        await pipeWire.stop()
    }

    /// The plug is pulled at the moment at which a program with the maximum number of tokens ends.
    @Test(arguments: ["hold", "refused", "restored"])
    func theLossOfTheOutputIsNoticedInTime(_ kind: String) async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(soakSeconds ?? 1)
        var (worst, rounds) = (Duration.zero, 0)
        repeat {
            worst = max(worst, try await timeToLoss(beside: kind))
            rounds += 1
        } while clock.now < end
        print("hostile: \(kind), then the headphones: noticed after \(worst) at most, \(rounds) rounds")
        #expect(worst <= Self.longestNoise)
    }

    /// The stage has its own card, because a plug that was just plugged in counts as one whose
    /// contact bounces.
    private func timeToLoss(beside kind: String) async throws -> Duration {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtInWithHeadphones, remote: pipeWire.remote)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        try await waitUntil("the headphones") { music.manager.currentRoute.outputs.first?.type == .headphones }
        let attacker = try await Flood.hold(kind, 1020, music, pipeWire)
        let received = EventLog<AudioSessionManager.Event>()
        let observation = music.manager.observe { received.append($0.timeless) }
        let clock = ContinuousClock()
        attacker.signal(SIGKILL)
        let start = clock.now
        try await card.unplug("headphones")
        try await received.wait(for: "the loss") { $0.contains { if case .becameNoisy = $0 { true } else { false } } }
        let time = clock.now - start
        withExtendedLifetime(observation) {}
        await attacker.exited()
        await music.manager.close()
        await card.close()
        await pipeWire.stop()
        return time
    }

    private struct Figures: CustomStringConvertible {
        var answer = Duration.zero
        var connection = Duration.zero
        var rounds = 0

        var description: String { "an answer within \(answer), a connection within \(connection), \(rounds) rounds" }
    }

    private func answer(_ music: MusicProgram) async throws -> Duration {
        try await ContinuousClock().measure {
            try await music.session.deactivate()
            try await music.session.activate()
        }
    }

    private func connect(_ pipeWire: PrivatePipeWire) async throws -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "New"))
        defer { Task { await manager.close() } }
        return clock.now - start
    }
}
