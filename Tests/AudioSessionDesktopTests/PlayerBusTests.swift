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

/// The session bus is missing, lost or replaced, or a player releases one of its names.
@Suite(.timeLimit(.minutes(10))) struct PlayerBusTests {
    @Test(arguments: ["unix:path=/nonexistent/bus", "nonsense", ""])
    func withoutABusTheSessionIsActiveEvenSo(_ address: String) async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let unmanaged = try UnmanagedAudio(session, in: .init(address: { address }, programs: { PlayingPrograms() }))
        let call = UnmanagedStage.Program(session: session, unmanaged: unmanaged)
        for _ in 1...2 {
            try await session.activate()
            #expect(await call.event() == "unavailable")
            #expect(session.state == .active)
            try await session.deactivate()
        }
    }

    @Test func aPlayerThatReleasesOneOfTwoNamesIsResumedAfterwards() async throws {
        let stage = try await UnmanagedStage()
        let player = try await FakePlayer("two", "Playing", on: stage.bus.address)
        let second = DesktopBus.playerPrefix + "two.instance1"
        try await player.own(second)
        let other = try await FakePlayer("other", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        let paused = [await call.event() ?? "", await call.event() ?? ""]
        #expect(Set(paused).isSubset(of: ["paused two", "paused two.instance1", "paused other"]))
        #expect(await player.command() == .pause)
        await player.release(second)
        // The bus reports the other one later.
        await other.release(DesktopBus.playerPrefix + "other")
        #expect(await call.event() == "released other")
        try await call.session.deactivate()
        #expect(await call.event()?.hasPrefix("resumed two") == true)
        #expect(await player.command() == .play)
    }

    @Test func aLostBusIsReported() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await stage.bus.stop()
        #expect(await call.event() == "released browser")
        #expect(await call.event() == "unavailable")
        #expect(call.unmanaged.pausedPlayers.isEmpty)
    }

    /// The bus would deliver *Play* when it continues, although the second session needs the player
    /// silent. A call of the bus is given up after 2 s.
    @Test func aPlayerStaysPausedIfTheBusHangsAtTheEnd() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let mixing = AudioSession.Configuration(.playback, options: .mixWithOthers)
        let (one, two) = (try await stage.program(mixing, .pause), try await stage.program(mixing, .pause))
        try await one.session.activate()
        #expect(await one.event() == "paused browser")
        #expect(await browser.command() == .pause)
        try await two.session.activate()
        #expect(await two.event() == "paused browser")
        await stage.bus.suspend()
        try await one.session.deactivate()
        #expect(await one.event() == "released browser")
        stage.bus.resume()
        // The bus handles what the first session has sent meanwhile.
        let owner = await browser.owner
        for _ in 0..<10 { _ = await browser.status(of: owner) }
        try await two.session.deactivate()
        #expect(await two.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(browser.commands == [.pause, .play])
    }

    /// Another bus at the same address gives the unique names of the lost one to other programs.
    @Test func playersOfAnotherBusReceiveNoCommands() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let owner = await browser.owner
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await stage.bus.stop()
        #expect(await call.event() == "released browser")
        #expect(await call.event() == "unavailable")
        #expect(await !call.unmanaged.hasWatchdog)
        let daemon = try await stage.bus.startAnotherDaemon()
        defer { daemon.signal(SIGKILL) }
        var players: [FakePlayer] = []
        var owners: [String] = []
        while !owners.contains(owner) {
            try #require(players.count < 10, "no player has the name \(owner)")
            let player = try await FakePlayer("player\(players.count)", "Paused", on: stage.bus.address)
            players.append(player)
            owners.append(await player.owner)
        }
        try await call.session.deactivate()
        #expect(await call.unmanaged.waitUntilRestored(within: .seconds(300)))
        // The commands of this watchdog follow those of one that began before.
        let last = try await FakePlayer("last", "Paused", on: stage.bus.address)
        var watchdog: PlayerWatchdog? = try PlayerWatchdog(address: stage.bus.address)
        #expect(watchdog?.resumeAtExit([await last.owner], by: ":1.9999") == true)
        watchdog = nil
        #expect(await last.command() == .play)
        #expect(players.allSatisfy { $0.commands == [] })
    }
}

extension UnmanagedAudio {
    fileprivate var hasWatchdog: Bool { watchdog != nil }
}

extension PrivateBus {
    /// Starts another daemon at the address of the stopped one. Returns when clients can connect.
    fileprivate func startAnotherDaemon() async throws -> ChildProcess {
        let folder = address.dropFirst("unix:path=".count).dropLast("/bus".count)
        let log = "\(folder)/log"
        let daemon = try ChildProcess(
            program: "/usr/bin/dbus-daemon",
            arguments: ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address=1"],
            environment: PrivateBus.environment, output: .log(log), group: group)
        // The daemon prints its address once it listens.
        try await waitUntil("the other bus runs") { ProgramFile.read(log)?.contains("unix:path=") == true }
        return daemon
    }
}
