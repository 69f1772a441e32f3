import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Foundation
import TestSupport
import Testing

/// The tests that Docs/Testing.md shows, run.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct TestingPageTests {
    @Suite(.timeLimit(.minutes(1))) struct PodcastTests {
        let system: FakeAudioSystem

        init() throws {
            system = try FakeLaptop.system()
        }

        @Test func aCallHasItsTurnAndGivesItBack() async throws {
            let podcast = try AudioSession(
                manager: await system.connect(.init(applicationName: "Podcast")),
                configuration: .init(.playback, mode: .spokenAudio))
            let call = try AudioSession(
                manager: await system.connect(.init(applicationName: "Phone")),
                configuration: .init(.playAndRecord, mode: .voiceChat))
            try await podcast.activate()
            try await call.activate()
            #expect(podcast.state == .interrupted)
            try await call.deactivate()
            #expect(podcast.silenceReasons == [.advised])
            system.advance(by: .seconds(4))
            #expect(podcast.silenceReasons == [.inactive])
        }

        @Test func pulledHeadphonesAreReported() async throws {
            system.setDefault(.output, node: FakeLaptop.sink)
            system.setAvailable(true, route: "analog-output-headphones")
            let manager = try await system.connect()
            system.advance(by: .seconds(1))
            let events = manager.events()
            system.setAvailable(false, route: "analog-output-headphones")
            for await event in events {
                guard case .becameNoisy(let port, _) = event else { continue }
                #expect(port.type == .headphones)
                break
            }
        }
    }

    @Test func valuesForTestsAreMade() {
        let headphones = PortDescription.testValue(.headphones, name: "Headphones")
        let change = RouteChange.testValue(
            reason: .oldDeviceUnavailable, previous: .testValue(outputs: [headphones]), current: .testValue())
        #expect(change.previous.outputs == [headphones] && change.current.outputs.isEmpty)
    }

    @Test func nothingIsHeardFromTheSpeakers() async throws {
        let scratch = try Scratch()
        let song = try scratch.sound(tone(frames: 480_000), as: "song.wav")
        let pipeWire = try await PrivatePipeWire()
        let laptop = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let headset = try await VirtualCard(.usb(), remote: pipeWire.remote)
        let speakers = try await SinkTap(sink: laptop.nodeNames[0], remote: pipeWire.remote)
        let headphones = try await SinkTap(sink: headset.nodeNames[0], remote: pipeWire.remote)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
        let player = AudioPlayer(manager: manager)
        let events = player.events()
        try await player.load([song])
        try await player.play()
        try await headphones.waitUntilLoud()
        await speakers.reset()
        try await headset.remove()
        for await case .stateChanged(.paused(reason: .routeLost), _) in events { break }
        try await speakers.waitUntilHeard(frames: 48_000)
        #expect(await speakers.report.loudFrames == 0)
        await pipeWire.stop()
    }

    /// The tests equal those of the page, except for the computer and the song.
    @Test func theTestsEqualThoseOfThePage() throws {
        let file = URL(filePath: #filePath)
        let page = file.appending(path: "../../../Docs/Testing.md").standardized
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        let shown = blocks.prefix(3).flatMap { lines($0.components(separatedBy: "```")[0]) }
        let here = try Set(lines(String(contentsOf: file, encoding: .utf8)))
        #expect(shown.count > 50)
        let others = shown.filter { !here.contains($0) && !$0.hasPrefix("system = FakeAudioSystem(") }
        #expect(others == [])
    }

    private func lines(_ text: String) -> [String] {
        text.replacing("[\"song.flac\"]", with: "[song]")
            .replacing("\"alsa_output.pci-0000_00_1f.3.analog-stereo\"", with: "FakeLaptop.sink")
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
