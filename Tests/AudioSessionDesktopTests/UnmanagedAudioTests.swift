import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import Glibc
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// What sessions do to players and streams of other programs, on a fake computer and a private bus.
@Suite(.timeLimit(.minutes(10))) struct UnmanagedAudioTests {
    @Test func aCallPausesPlayersAndResumesThem() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(call.unmanaged.pausedPlayers.map(\.processID) == [Int(getpid())])
        try await call.session.deactivate()
        #expect(await call.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(call.unmanaged.pausedPlayers.isEmpty)
        // The same once more, over another connection.
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
    }

    @Test func aPlayerThatItsUserControlledIsNotResumed() async throws {
        let stage = try await UnmanagedStage()
        let paused = try await FakePlayer("a-paused", "Paused", on: stage.bus.address)
        let touched = try await FakePlayer("b-touched", "Playing", on: stage.bus.address)
        let other = try await FakePlayer("c-other", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(Set([await call.event(), await call.event()]) == ["paused b-touched", "paused c-other"])
        #expect(await touched.command() == .pause)
        #expect(await other.command() == .pause)
        // It reports later that it has paused, and counts as slow until then.
        await touched.set("Paused")
        await touched.set("Playing")
        #expect(await call.event() == "released b-touched")
        await touched.set("Paused")
        try await call.session.deactivate()
        #expect(await call.event() == "resumed c-other")
        #expect(await other.command() == .play)
        #expect(touched.commands == [.pause])
        #expect(paused.commands == [])
    }

    @Test func withoutNotifyThePlayerStaysPaused() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        try await call.session.deactivate([])
        #expect(await call.event() == "released browser")
        #expect(browser.commands == [.pause])
    }

    /// Players stop their streams while they are paused, and some close them.
    enum StreamOfPaused: CaseIterable { case runs, hasStopped, isClosed }

    @Test(arguments: StreamOfPaused.allCases)
    func theLastOfTwoSessionsResumesThePlayer(stream: StreamOfPaused) async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let mixing = AudioSession.Configuration(.playback, options: .mixWithOthers)
        let (one, two) = (try await stage.program(mixing, .pause), try await stage.program(mixing, .pause))
        try await one.session.activate()
        #expect(await one.event() == "paused browser")
        #expect(await browser.command() == .pause)
        if stream == .hasStopped { stage.isStreaming.withLock { $0 = false } }
        if stream == .isClosed { stage.programs.withLock { $0 = PlayingPrograms() } }
        try await two.session.activate()
        #expect(await two.event() == "paused browser")
        try await one.session.deactivate()
        #expect(await one.event() == "released browser")
        try await two.session.deactivate()
        #expect(await two.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(browser.commands == [.pause, .play])
    }

    @Test func playersStayPausedWhileASessionMayReturn() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let music = try await stage.program(.init(.playback), .pause)
        let call = try await stage.program(.init(.playAndRecord, mode: .voiceChat), .leave)
        try await music.session.activate()
        #expect(await music.event() == "paused browser")
        #expect(await browser.command() == .pause)
        try await call.session.activate()
        try await call.session.deactivate()
        try await waitUntil("it has heard that") { await music.unmanaged.sessionState == .inactive }
        #expect(music.unmanaged.pausedPlayers.map(\.name) == ["browser"])
        try await music.session.activate()
        try await music.session.deactivate()
        #expect(await music.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(browser.commands == [.pause, .play])
    }

    @Test(arguments: [false, true]) func aDeactivationEndsTheWaitForTheSessionsReturn(isSilent: Bool) async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let music = try await stage.program(.init(.playback), .pause)
        let call = try await stage.program(.init(.playAndRecord, mode: .voiceChat), .leave)
        try await music.session.activate()
        #expect(await music.event() == "paused browser")
        try await call.session.activate()
        try await call.session.deactivate()
        try await waitUntil("it has heard that") { await music.unmanaged.sessionState == .inactive }
        try await music.session.deactivate(isSilent ? [] : .notifyOthersOnDeactivation)
        #expect(await music.unmanaged.waitUntilRestored(within: .seconds(300)), "it waits for the session's return")
        #expect(await music.event() == (isSilent ? "released browser" : "resumed browser"))
        #expect(await browser.command() == .pause)
        if !isSilent { #expect(await browser.command() == .play) }
    }

    /// A change of category, mode or options applies another policy at once.
    @Test func anotherConfigurationReplacesTheFormerPolicy() async throws {
        let stage = try await UnmanagedStage()
        await stage.streams.send(FakeStreams.stream(40))
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let program = try await stage.program(.init(.playback, options: .duckOthers))
        try await program.session.activate()
        #expect(await program.event()?.hasPrefix("ducked") == true)
        try await program.session.setCategory(.playAndRecord, mode: .voiceChat)
        let events = [await program.event() ?? "", await program.event() ?? ""]
        #expect(events.contains("paused browser") || events.contains("muted browser"), "\(events)")
        #expect(events.contains { $0.hasPrefix("restored") }, "\(events)")
        #expect(await browser.command() == .pause)
    }

    @Test func closingResumesThePlayer() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await call.unmanaged.close()
        #expect(await call.event() == nil)
        #expect(await browser.command() == .play)
    }

    @Test func mixingSessionsLeaveOthersAloneUnlessAsked() async throws {
        let stage = try await UnmanagedStage()
        let prompt = try await stage.program(.init(.playback, options: .mixWithOthers))
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .leave)
        try await prompt.session.change { $0.unmanagedAudioPolicy = .pause }
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
        // It stays with another category.
        try await prompt.session.setCategory(.playback, options: .duckOthers)
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
        try await prompt.session.change { $0.unmanagedAudioPolicy = nil }
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .duck)
        try await prompt.session.setCategory(.playback)
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
    }
}
