import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// A device and its sink.
struct Device: Sendable, CustomTestStringConvertible {
    let description: VirtualCardDescription
    let sink: String
    let type: PortType
    var testDescription: String { type.rawValue }

    static let all: [Device] = [
        Device(description: .usb(), sink: Sinks.usb, type: .usbAudio),
        Device(description: .bluetooth(), sink: Sinks.bluetooth, type: .bluetoothA2DP),
    ]
}

/// The exact events of a device that appears or is removed. A session manager that takes more than
/// 300 ms to choose an output adds a change, so the suite runs alone.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10)))
struct DeviceEventTests {
    @Test(arguments: Device.all)
    func aRemovedDevicePausesAndNothingIsHeardElsewhere(_ device: Device) async throws {
        try await Stage.with(.builtIn(), device.description) { stage in
            try await stage.play(on: device.sink)
            await stage.clearHistory()
            try await stage.lose(device)
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.losses.map(\.type) == [device.type])
            #expect(stage.log.events.states == [.paused(reason: .routeLost)])
            #expect(
                stage.log.events.routeChanges.map(\.summary)
                    == ["oldDeviceUnavailable: \(device.type.rawValue) -> builtInSpeaker"])
            #expect(stage.managerLog.events.losses.map(\.type) == [device.type])
            #expect(stage.managerLog.events.routeChanges.count == 1)
            #expect(await stage.loudFrames().keys.allSatisfy { $0 == device.sink })
        }
    }

    @Test func aScreenBecomesTheOutputWithoutAPause() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.card.plug("hdmi")
            try await stage.log.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            try await stage.tap(at: Sinks.hdmi).waitUntilLoud()
            await stage.resetTaps()
            try await stage.tapSinks()
            #expect(stage.log.events.routeChanges.map(\.summary) == ["newDeviceAvailable: builtInSpeaker -> HDMI"])
            #expect(stage.log.events.count == 1, "no pause: \(stage.log.events)")
            try await stage.expectUnbroken(at: Sinks.hdmi)
            #expect(await Array(stage.loudFrames().keys) == [Sinks.hdmi])
        }
    }
}

/// Devices that appear and are removed as a whole while a player plays.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct DeviceTests {
    /// A player that does not pause is heard elsewhere, which shows that a leaked frame would be
    /// heard.
    @Test(arguments: Device.all)
    func aPlayerThatContinuesIsHeardElsewhere(_ device: Device) async throws {
        try await Stage.with(.builtIn(), device.description, pausesOnRouteLoss: false) { stage in
            try await stage.play(on: device.sink)
            await stage.clearHistory()
            try await stage.lose(device)
            #expect(stage.player.state == .playing)
            #expect(stage.log.events.losses.map(\.type) == [device.type])
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
        }
    }

    @Test(arguments: Device.all)
    func aReturnedDeviceIsSilentUntilPlayed(_ device: Device) async throws {
        try await Stage.with(.builtIn(), device.description) { stage in
            try await stage.play(on: device.sink)
            let uid = stage.player.route.outputs.map(\.uid)
            await stage.clearHistory()
            try await stage.lose(device)
            await stage.clearHistory()
            try await stage.cards[1].add()
            try await stage.managerLog.wait(for: "the device's return") {
                $0.routeChanges.last?.current.isOn(device.type) == true
            }
            try await stage.tap(at: device.sink).wait(untilAttached: true)
            try await stage.tapSinks()
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.states == [])
            #expect(await stage.loudFrames() == [:], "nothing starts by itself")
            #expect(stage.manager.currentRoute.outputs.map(\.uid) == uid)
            try await stage.play(on: device.sink)
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [device.sink])
            #expect(stage.player.route.outputs.map(\.uid) == uid)
        }
    }

    @Test func unusedHeadphonesOnlyChangeTheList() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.card.plug("headphones")
            try await stage.play(on: Sinks.usb)
            await stage.clearHistory()
            try await stage.card.unplug("headphones")
            try await stage.managerLog.wait(for: "the shorter list") { !$0.isEmpty }
            try await stage.tapSinks()
            #expect(stage.managerLog.events == [.availablePortsChanged(at: .never)])
            #expect(!stage.manager.availableOutputs.contains { $0.type == .headphones })
            #expect(stage.log.events == [])
            try await stage.expectUnbroken(at: Sinks.usb)
        }
    }
}

extension Stage {
    /// Removes the second card, and returns when the player knows it and the session manager has
    /// chosen another output.
    fileprivate func lose(_ device: Device) async throws {
        try await cards[1].remove()
        try await log.wait(for: "the new route") { $0.routeChanges.last?.current.isOn(.builtInSpeaker) == true }
        try await managerLog.wait(for: "the new default") {
            $0.routeChanges.last?.current.isOn(.builtInSpeaker) == true
        }
        try await tapSinks()
    }
}
