import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import MediaPlayers
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// Players that were paused for a call on a Bluetooth headset, on a fake computer and a private
/// bus.
@Suite(.timeLimit(.minutes(10))) struct HeadsetReturnTests {
    /// WirePlumber pauses the players that play to the headset when it leaves its mode for calls.
    @Test func playersResumeWhenTheHeadsetIsBackInItsModeForMusic() async throws {
        let (stage, call, browser) = try await afterACall()
        #expect(browser.commands == [.pause])
        stage.system.setHeadset("a2dp-sink")
        #expect(await call.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(await call.unmanaged.waitUntilRestored(within: .seconds(300)))
    }

    @Test func playersStayPausedIfTheHeadsetIsLostMeanwhile() async throws {
        let (stage, call, browser) = try await afterACall()
        stage.system.removeHeadset()
        #expect(await call.event() == "released browser")
        #expect(browser.commands == [.pause])
    }

    @Test func aProgramThatEndsWaitsForTheHeadset() async throws {
        let (stage, call, browser) = try await afterACall()
        let unmanaged = call.unmanaged
        let end = Task { await unmanaged.waitForHeadset() }
        try await waitUntil("it waits") { await unmanaged.hasWaiters }
        stage.system.setHeadset("a2dp-sink")
        #expect(await call.event() == "resumed browser")
        await end.value
        #expect(await browser.command() == .play)
        await unmanaged.waitForHeadset()
        #expect(await !unmanaged.isAwaitingHeadset, "nothing is waited for")
    }

    /// A command that is stopped by Control-Z would otherwise keep the terminal for two seconds.
    @Test func aProgramThatDoesNotEndDoesNotWaitForTheHeadset() async throws {
        let (stage, call, browser) = try await afterACall()
        #expect(await call.unmanaged.waitUntilRestored(within: .seconds(300), awaitingHeadset: false))
        #expect(await call.unmanaged.isAwaitingHeadset)
        #expect(browser.commands == [.pause])
        withExtendedLifetime(stage) {}
    }

    /// The watchdog resumes the players.
    @Test(arguments: [false, true]) func aCancelledWaitForTheHeadsetEndsAtOnce(isWaiting: Bool) async throws {
        let (stage, call, browser) = try await afterACall()
        let unmanaged = call.unmanaged
        let end = Task { await unmanaged.waitForHeadset() }
        if isWaiting { try await waitUntil("it waits") { await unmanaged.hasWaiters } }
        end.cancel()
        await end.value
        #expect(await call.event() == nil, "it is closed")
        #expect(await browser.command() == .play)
        withExtendedLifetime(stage) {}
    }

    /// Returns when the call is over, and its program waits for the headset.
    private func afterACall() async throws -> (UnmanagedStage, UnmanagedStage.Program, FakePlayer) {
        let stage = try await UnmanagedStage()
        stage.system.addHeadset()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        #expect(call.session.manager.currentRoute.outputs.map(\.type) == [.bluetoothA2DP])
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        stage.system.setHeadset("headset-head-unit")
        #expect(call.session.manager.currentRoute.outputs.map(\.type) == [.bluetoothHFP])
        try await call.session.deactivate()
        let unmanaged = call.unmanaged
        try await waitUntil("it waits for the headset") { await unmanaged.isAwaitingHeadset }
        return (stage, call, browser)
    }
}

extension UnmanagedAudio {
    fileprivate var hasWaiters: Bool { !waiters.isEmpty }
}

extension FakeAudioSystem {
    private static let card = ObjectID(70)
    private static let sink = ObjectID(71)
    private static let profiles = ["off", "a2dp-sink", "headset-head-unit"].enumerated().map {
        DeviceProfile(index: $0, name: $1, availability: .yes)
    }

    /// Adds a headset in its mode for music, which becomes the default.
    fileprivate func addHeadset() {
        let properties: Properties = [
            .deviceName: "bluez_card.02_00", .deviceAPI: "bluez5", .mediaClass: "Audio/Device",
            .deviceBus: "bluetooth", .bluezAddress: "02:00",
        ]
        send(
            .deviceAppeared(Self.card, properties), .deviceProperties(Self.card, properties),
            .deviceRoutes(Self.card, []), .deviceActiveRoutes(Self.card, []),
            .deviceProfiles(Self.card, Self.profiles))
        addSink("a2dp-sink")
    }

    /// Switches the profile, for which the headset removes its sink, and waits for the route.
    fileprivate func setHeadset(_ profile: String) {
        send(.disappeared(Self.sink))
        addSink(profile)
        advance(by: .seconds(10))
    }

    fileprivate func removeHeadset() {
        send(.disappeared(Self.sink), .disappeared(Self.card), .defaultChanged(.output, nil))
        advance(by: .seconds(10))
    }

    private func addSink(_ profile: String) {
        let name = "bluez_output.02_00.1"
        let properties: Properties = [
            .nodeName: name, .mediaClass: "Audio/Sink", .deviceID: "70", .bluezProfile: profile,
            .bluezAddress: "02:00", .deviceAPI: "bluez5",
        ]
        send(
            .deviceActiveProfile(Self.card, Self.profiles.first { $0.name == profile }),
            .nodeProperties(Self.sink, properties), .defaultChanged(.output, name))
    }
}
