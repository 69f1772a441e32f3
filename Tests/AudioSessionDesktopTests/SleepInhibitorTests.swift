import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// A sleep that logind announces, on a fake computer and a private bus.
@Suite(.timeLimit(.minutes(10))) struct SleepInhibitorTests {
    private struct Stage {
        let bus: PrivateBus
        let logind: MockLogind
        let system: FakeAudioSystem
        let manager: AudioSessionManager
        let session: AudioSession
        let member = Participant()
        let inhibitor: SleepInhibitor

        init() async throws {
            bus = try await PrivateBus()
            logind = try await MockLogind(on: bus)
            system = try FakeLaptop.system(with: .headset)
            manager = try await AudioSessionManager.connect(.init(applicationName: "Tunes"), in: system.environment)
            session = try AudioSession(manager: manager, configuration: .init(.playback))
            inhibitor = try SleepInhibitor(manager) { [bus] in bus.address }
            await session.receive(.joined(member.facts), from: member)
        }

        /// Returns when the inhibitor is subscribed to logind.
        func waitForSubscription() async throws {
            await play(true)
            try await logind.wait(forInhibitors: 1)
            await play(false)
            try await logind.wait(forInhibitors: 0)
        }

        func play(_ isPlaying: Bool) async {
            member.playing.withLock { $0 = isPlaying }
            await session.receive(.changed(member.facts), from: member)
        }
    }

    @Test func aSleepIsDelayedWhileASessionPlays() async throws {
        let stage = try await Stage()
        #expect(try await stage.logind.inhibitors() == [] && !stage.inhibitor.isHeld)
        await stage.play(true)
        try await stage.logind.wait(forInhibitors: 1)
        #expect(try await stage.logind.inhibitors() == ["Tunes"])
        await stage.play(false)
        try await stage.logind.wait(forInhibitors: 0)
        await stage.play(true)
        try await stage.logind.wait(forInhibitors: 1)
        await stage.inhibitor.close()
        try await stage.logind.wait(forInhibitors: 0)
        #expect(stage.inhibitor.unavailability == nil)
        await stage.manager.close()
    }

    @Test func aSleepBeginsWhenAllStreamsAreSilent() async throws {
        let stage = try await Stage()
        let gate = Gate()
        _ = await stage.manager.follow(gate)
        await stage.play(true)
        try await stage.logind.wait(forInhibitors: 1)
        for _ in 0..<3 {
            try await stage.logind.announceSleep(begins: true)
            try await stage.logind.wait(forInhibitors: 0)
            #expect(gate.isClosed)
            try await stage.logind.announceSleep(begins: false)
            try await stage.logind.wait(forInhibitors: 1)
            stage.system.advance(by: .milliseconds(299))
            #expect(gate.isClosed)
            stage.system.advance(by: .milliseconds(1))
            #expect(!gate.isClosed)
        }
        await stage.manager.close()
    }

    /// No inhibitor is taken between the two announcements.
    @Test func aStreamThatStartsDuringTheSleepIsSilentUntilItsEnd() async throws {
        let stage = try await Stage()
        try await stage.waitForSubscription()
        try await stage.logind.announceSleep(begins: true)
        try await waitUntil("the sleep") { stage.manager.isAsleep }
        let gate = Gate()
        _ = await stage.manager.follow(gate)
        await stage.play(true)
        #expect(gate.isClosed && !stage.inhibitor.isHeld)
        try await stage.logind.announceSleep(begins: false)
        try await stage.logind.wait(forInhibitors: 1)
        #expect(try await stage.logind.inhibitors() == ["Tunes"], "one for both")
        stage.system.advance(by: .seconds(1))
        #expect(!gate.isClosed)
        await stage.manager.close()
    }

    /// The manager ends the sleep after a limit. Sessions play from then on, or have played all the
    /// time.
    @Test(arguments: [false, true])
    func aSleepWhoseEndIsNotAnnouncedEnds(playsMeanwhile: Bool) async throws {
        let stage = try await Stage()
        try await stage.waitForSubscription()
        if playsMeanwhile {
            await stage.play(true)
            try await stage.logind.wait(forInhibitors: 1)
        }
        try await stage.logind.announceSleep(begins: true)
        try await waitUntil("the sleep") { stage.manager.isAsleep }
        try await stage.logind.wait(forInhibitors: 0)
        stage.system.advance(by: .seconds(30))
        #expect(!stage.manager.isAsleep)
        if !playsMeanwhile { await stage.play(true) }
        try await stage.logind.wait(forInhibitors: 1)
        await stage.manager.close()
    }

    /// The end of the sleep would not be announced any more.
    @Test func aBusThatEndsDuringTheSleepEndsIt() async throws {
        let stage = try await Stage()
        let gate = Gate()
        _ = await stage.manager.follow(gate)
        try await stage.waitForSubscription()
        try await stage.logind.announceSleep(begins: true)
        try await waitUntil("the sleep") { gate.isClosed }
        await stage.bus.stop()
        try await waitUntil("the end") { !stage.manager.isAsleep }
        // The snapshot changes within the job that ends the sleep, before the timer of the gate is
        // armed. The manager answers after that job.
        _ = await stage.manager.isSounding
        stage.system.advance(by: .seconds(1))
        #expect(!gate.isClosed && stage.inhibitor.unavailability?.contains("is lost") == true)
        await stage.manager.close()
    }

    @Test func withoutABusTheReasonIsReported() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let inhibitor = try SleepInhibitor(manager) { "unix:path=/nonexistent/bus" }
        try await waitUntil("the failure") { inhibitor.unavailability != nil }
        #expect(inhibitor.unavailability?.contains("/nonexistent/bus") == true && !inhibitor.isHeld)
        await manager.close()
    }

    /// A system with a bus and without logind.
    @Test func withoutLogindTheReasonIsReported() async throws {
        let bus = try await PrivateBus()
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let member = Participant()
        member.playing.withLock { $0 = true }
        await session.receive(.joined(member.facts), from: member)
        let inhibitor = try SleepInhibitor(manager) { bus.address }
        await session.receive(.changed(member.facts), from: member)
        try await waitUntil("the failure") { inhibitor.unavailability != nil }
        #expect(inhibitor.unavailability?.contains("NameHasNoOwner") == true, "\(inhibitor.unavailability ?? "")")
        await manager.close()
    }
}

/// A participant that starts and stops playing.
private final class Participant: SessionParticipant {
    let playing = Locked(false)
    var facts: ParticipantFacts {
        var facts = ParticipantFacts()
        facts.isRunning = playing.withLock(\.self)
        return facts
    }
    let timing = ParticipantTiming()
    func receive(_ input: ParticipantInput) {}
    func receive(_ input: RouteInput) {}
}

private final class Gate: RouteFollower {
    private let closed = Locked(false)
    var isClosed: Bool { closed.withLock(\.self) }
    func receive(_ input: RouteInput) {
        if input == .endangered { closed.withLock { $0 = true } }
        if input == .kept { closed.withLock { $0 = false } }
    }
}
