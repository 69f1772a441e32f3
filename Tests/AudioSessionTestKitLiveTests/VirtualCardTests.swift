import AudioSessionCore
import AudioSessionTestKit
import Dispatch
import PipeWireGraph
import TestSupport
import Testing

/// The real session manager's behavior with virtual cards. Each test has a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct VirtualCardTests {
    /// A card on a private PipeWire, and an observer in another program.
    private func withCard(
        _ description: VirtualCardDescription,
        _ body: (PrivatePipeWire, VirtualCard, GraphObserver) async throws -> Void
    ) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let observer = try await GraphObserver(remote: pipeWire.remote)
            let card = try await VirtualCard(description, remote: pipeWire.remote)
            try await body(pipeWire, card, observer)
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    private let builtIn = VirtualCardDescription.builtIn()
    private let card = "alsa_card.pci-virtual_0"
    private let analog = "alsa_output.pci-virtual_0.analog-stereo"
    private let hdmi = "alsa_output.pci-virtual_0.hdmi-stereo"
    private let mic = "alsa_input.pci-virtual_0.analog-stereo"

    @Test func theSessionManagerUsesABuiltInCard() async throws {
        try await withCard(builtIn) { _, card, observer in
            #expect(await card.nodeNames == [analog, hdmi, mic])
            #expect(await card.state.profile == "HiFi")
            await observer.expect("the card's sink and source become the defaults") {
                $0.defaultSinkName == analog && $0.defaultSourceName == mic
            }
            await observer.expect("speaker and internal microphone are in use") {
                $0.activeRoutes(self.card).isSuperset(of: ["analog-output-speaker", "analog-input-internal-mic"])
            }
        }
    }

    @Test func headphonesMoveTheRoute() async throws {
        try await withCard(builtIn) { _, card, observer in
            try await card.plug("headphones")
            await observer.expect("headphones in use") {
                $0.activeRoutes(self.card).contains("analog-output-headphones")
            }
            try await card.unplug("headphones")
            await observer.expect("speaker in use again") {
                $0.activeRoutes(self.card).contains("analog-output-speaker")
                    && !$0.activeRoutes(self.card).contains("analog-output-headphones")
            }
        }
    }

    @Test func screenMovesTheDefaultSink() async throws {
        try await withCard(builtIn) { _, card, observer in
            await observer.expect("the analog sink is the default") { $0.defaultSinkName == analog }
            try await card.plug("hdmi")
            await observer.expect("the screen is the default") { $0.defaultSinkName == hdmi }
            try await card.unplug("hdmi")
            await observer.expect("the analog sink is the default again") { $0.defaultSinkName == analog }
        }
    }

    @Test func aRemovedCardDisappearsAndReturns() async throws {
        try await withCard(builtIn) { _, card, observer in
            await observer.expect("the card is there") { $0.node(analog) != nil && $0.device(self.card) != nil }
            try await card.remove()
            await observer.expect("device and nodes are removed") {
                $0.device(self.card) == nil && $0.node(analog) == nil && $0.node(hdmi) == nil && $0.node(mic) == nil
            }
            #expect(await card.nodeNames == [])
            try await card.add()
            await observer.expect("they are back, and the default") {
                $0.device(self.card) != nil && $0.defaultSinkName == analog
            }
        }
    }

    @Test func theSessionManagerUsesAUSBHeadset() async throws {
        try await withCard(.usb()) { _, card, observer in
            let output = "alsa_output.usb-Virtual_USB_Headset_0-00.analog-stereo"
            let input = "alsa_input.usb-Virtual_USB_Headset_0-00.mono-fallback"
            #expect(await card.nodeNames == [output, input])
            await observer.expect("its nodes are the defaults") {
                $0.defaultSinkName == output && $0.defaultSourceName == input
            }
            await observer.expect("its routes are in use") {
                $0.activeRoutes("alsa_card.usb-Virtual_USB_Headset_0-00")
                    == ["analog-output", "analog-input-headset-mic"]
            }
        }
    }

    @Test func bluetoothProfileSwapsTheNodes() async throws {
        try await withCard(.bluetooth()) { pipeWire, card, observer in
            let device = "bluez_card.02_00_00_00_00_01"
            let output = "bluez_output.02_00_00_00_00_01.1"
            #expect(await card.state.profile == "a2dp-sink")
            await observer.expect("A2DP is the default") {
                $0.defaultSinkName == output && $0.node(output)?.properties[.bluezProfile] == "a2dp-sink"
            }
            try await setProfile(2, of: device, in: pipeWire, observer)
            await observer.expect("HFP output and microphone instead") {
                $0.node(output)?.properties[.bluezProfile] == "headset-head-unit"
                    && $0.node("bluez_input.02_00_00_00_00_01.0") != nil
                    && $0.activeRoutes(device) == ["headset-hf-output", "headset-input"]
            }
            try await card.waitUntilTaken()
            #expect(await card.state.profile == "headset-head-unit")
        }
    }

    /// Sets a profile by another program, as a user would.
    private func setProfile(
        _ index: Int, of device: String, in pipeWire: PrivatePipeWire, _ observer: GraphObserver
    ) async throws {
        let id = try #require(await observer.graph.device(device)?.id)
        let result = try await pipeWire.run("pw-cli", ["s", "\(id)", "Profile", "{ index: \(index) }"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func aCardOutlivesTheSessionManager() async throws {
        try await withCard(builtIn) { pipeWire, card, observer in
            try await card.plug("headphones")
            try await pipeWire.stopSessionManager(gracefully: false)
            await observer.expect("the card went with it") { $0.device(self.card) == nil && $0.node(analog) == nil }
            try await pipeWire.startSessionManager()
            try await card.waitUntilTaken()
            await observer.expect("it is back, with the headphones in") {
                $0.activeRoutes(self.card).contains("analog-output-headphones") && $0.defaultSinkName == analog
            }
        }
    }

    /// The next session manager could start before the card is removed with this one, which no real
    /// card allows.
    @Test func aSlowCardIsRemovedBeforeTheEndOfTheSessionManagerIsReported() async throws {
        try await withCard(builtIn) { pipeWire, card, observer in
            let (isFree, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
            await withCheckedContinuation { begun in
                Task { await card.blockThread(begun, until: mayEnd) }
            }
            let stop = Task {
                try await pipeWire.stopSessionManager()
                return isFree.withLock(\.self)
            }
            await observer.expect("the session manager has ended") { $0.sessionManager == nil }
            await observer.expect("the card is not") { $0.device(self.card) != nil }
            isFree.withLock { $0 = true }
            mayEnd.signal()
            let hasWaited = try await stop.value
            #expect(hasWaited)
            await observer.expect("the card went with it") { $0.device(self.card) == nil }
        }
    }

    @Test func aCardReturnsToANewDaemon() async throws {
        try await withCard(builtIn) { pipeWire, card, _ in
            await pipeWire.killDaemon()
            // It notices that by itself, which may take a moment.
            let loss = await #expect(throws: TestKitError.self) {
                try await card.wait(for: "the loss") { _ in false }
            }
            #expect(loss?.code == .daemonUnreachable)
            await #expect(throws: TestKitError.self) { try await card.waitUntilTaken() }
            try await pipeWire.startDaemon()
            try await card.reconnect()
            #expect(await card.nodeNames.count == 3)
        }
    }

    @Test func aCardThatCannotReconnectKeepsItsError() async throws {
        try await withCard(builtIn) { pipeWire, card, _ in
            await pipeWire.killDaemon()
            await #expect(throws: TestKitError.self) { try await card.wait(for: "the loss") { _ in false } }
            let error = await #expect(throws: TestKitError.self) { try await card.reconnect() }
            #expect(error?.code == .daemonUnreachable)
            let next = await #expect(throws: TestKitError.self) { try await card.plug("headphones") }
            #expect(next == error)
        }
    }

    /// The session manager would use only one of two cards of one name.
    @Test func aNameIsUsedByOneCardAtATime() async throws {
        try await withCard(builtIn) { pipeWire, card, _ in
            let error = await #expect(throws: TestKitError.self) {
                _ = try await VirtualCard(self.builtIn, remote: pipeWire.remote)
            }
            #expect(error?.code == .invalidDescription && error?.remedy.contains("another id") == true)
            await card.close()
            let next = try await VirtualCard(builtIn, remote: pipeWire.remote)
            await next.close()
        }
    }

    @Test func aTimeoutNamesTheExpectedState() async throws {
        try await withCard(builtIn) { _, card, _ in
            let error = await #expect(throws: TestKitError.self) {
                try await card.wait(for: "a miracle", within: .milliseconds(1)) { _ in false }
            }
            #expect(error?.code == .timedOut && error?.what.contains("a miracle") == true)
        }
    }
}

extension VirtualCard {
    fileprivate func blockThread(_ begun: CheckedContinuation<Void, Never>, until signal: DispatchSemaphore) {
        begun.resume()
        signal.wait()
    }
}
