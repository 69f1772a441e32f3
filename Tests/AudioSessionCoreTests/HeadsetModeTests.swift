import AudioSessionCore
import Testing

@Suite struct HeadsetModeTests {
    private func port(_ type: PortType, _ device: String = "bluez_card.02_00") -> PortDescription {
        PortDescription(type: type, name: "", uid: "\(device)/\(type)", direction: .output, deviceName: device)
    }

    /// In a call, a car has the type of a hands-free device too.
    @Test(arguments: [PortType.bluetoothA2DP, .carAudio])
    func aHeadsetThatPlayedMusicIsInItsModeForCalls(music: PortType) {
        var headset = HeadsetMode()
        #expect(headset.state == .none)
        headset.update([port(music)])
        #expect(headset.state == .music)
        headset.update([port(.bluetoothHFP)])
        #expect(headset.state == .call)
        headset.update([port(music)])
        #expect(headset.state == .music)
    }

    /// It may have no other mode, and then never returns to one.
    @Test func aHeadsetThatPlayedNoMusicIsNotAwaited() {
        var headset = HeadsetMode()
        headset.update([port(.bluetoothHFP)])
        #expect(headset.state == .none)
        headset.update([port(.bluetoothA2DP, "bluez_card.03_00")])
        headset.update([port(.bluetoothHFP)])
        #expect(headset.state == .none, "another one did")
    }

    @Test func aHeadsetThatIsNotInUseAnyMoreIsNotAwaited() {
        var headset = HeadsetMode()
        headset.update([port(.bluetoothA2DP)])
        headset.update([port(.bluetoothHFP)])
        headset.update([port(.builtInSpeaker)])
        #expect(headset.state == .none)
        headset.update([port(.bluetoothHFP)])
        #expect(headset.state == .call)
        headset.update([])
        #expect(headset.state == .none)
    }
}
