import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// The process that resumes players after the end of the one that paused them.
@Suite(.timeLimit(.minutes(10))) struct PlayerWatchdogTests {
    /// The watchdog's work at the end of its process. Here the connection is closed instead.
    @Test func theWatchdogResumesPlayersWithoutAClaim() async throws {
        let bus = try await PrivateBus()
        let claimed = try await FakePlayer("claimed", "Paused", on: bus.address)
        let free = try await FakePlayer("free", "Paused", on: bus.address)
        let claimer = try await FakePlayer(
            try #require(DesktopBus.claim(on: await claimed.owner)), "Stopped", on: bus.address, prefix: "")
        var watchdog: PlayerWatchdog? = try PlayerWatchdog(address: bus.address)
        #expect(watchdog?.resumeAtExit([await free.owner], by: ":1.9999") == true)
        #expect(watchdog?.resumeAtExit([await claimed.owner, await free.owner], by: ":1.9999") == true)
        watchdog = nil
        #expect(await free.command() == .play)
        #expect(claimed.commands == [])
        #expect(await claimer.owner.hasPrefix(":"))
    }

    @Test func onlyAddressesCanBeClaimed() {
        #expect(DesktopBus.claim(on: ":1.42") == "org.AudioSessions.Paused.p1_42")
        for wrong in ["", ":", "org.mpris", ":1/2", ":" + String(repeating: "1", count: 300)] {
            #expect(DesktopBus.claim(on: wrong) == nil)
        }
    }
}
