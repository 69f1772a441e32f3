import AudioSessionCore
import AudioSessionTestKit
import Foundation
import PipeWireGraph
import TestSupport
import Testing

/// The sound of virtual cards' sources, each on a private PipeWire.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct VirtualMicrophoneTests {
    private let mic = "alsa_input.pci-virtual_0.analog-stereo"

    private func withCard(
        _ description: VirtualCardDescription = .builtIn(),
        _ body: (PrivatePipeWire, VirtualCard) async throws -> Void
    ) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(description, remote: pipeWire.remote)
            try await body(pipeWire, card)
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    /// A stopped recorder leaves every cycle unfinished, for all recorders of the same source.
    /// PipeWire's own test source loses one of its two buffers each time that this begins.
    @Test func aMicrophoneSurvivesUnfinishedCycles() async throws {
        try await withCard { pipeWire, _ in
            let tap = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await tap.wait(amplitude: 1)
            let recorder = try Recorder(at: mic, in: pipeWire)
            for _ in 0..<4 {
                try await recorder.waitUntilItRecords()
                recorder.signal(SIGSTOP)
                try await tap.wait(cycles: 8)
                recorder.signal(SIGCONT)
            }
            recorder.signal(SIGSTOP)
            try await tap.wait(cycles: 8)
            recorder.signal(SIGKILL)
            try await tap.wait(cycles: 8)
            try await tap.wait(amplitude: 1)
            let next = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await next.wait(amplitude: 1)
        }
    }

    /// For the session manager it is a card's source like any other, though a program renders the
    /// sound.
    @Test func recordersAreLinkedToAMicrophoneAndSinksAreNot() async throws {
        try await withCard { pipeWire, _ in
            let observer = try await GraphObserver(remote: pipeWire.remote)
            let tap = try await SourceTap(at: nil, remote: pipeWire.remote)
            try await tap.wait(amplitude: 1)
            await observer.expect("two links, to the recorder") { graph in
                let ends = graph.links.values.filter { $0.outputNode == graph.node(mic)?.id }.map(\.inputNode)
                return ends.count == 2 && ends.allSatisfy { $0 == graph.node("source-tap")?.id }
            }
        }
    }

    @Test func volumeAndMuteOfTheRouteApply() async throws {
        try await withCard { pipeWire, _ in
            let observer = try await GraphObserver(remote: pipeWire.remote)
            await observer.expect("the card's source is the default") { $0.defaultSourceName == mic }
            let tap = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await pipeWire.mix(.defaultInput, level: 1)
            try await tap.wait(amplitude: 1)
            try await pipeWire.mix(.defaultInput, isMuted: true)
            try await tap.waitUntilSilent()
            try await pipeWire.mix(.defaultInput, level: 0.5, isMuted: false)
            try await tap.wait(amplitude: 0.125)
        }
    }

    @Test(arguments: [1, 3, 8]) func everyChannelHasTheTone(channels: Int) async throws {
        var description = VirtualCardDescription.builtIn()
        let index = try #require(description.nodes.firstIndex { $0.name == mic })
        description.nodes[index].channels = channels
        try await withCard(description) { pipeWire, _ in
            let tap = try await SourceTap(at: mic, channels: 1, remote: pipeWire.remote)
            try await tap.wait(cycles: 4)
            let ports = try await pipeWire.run("pw-cli", ["ls", "Port"]).output
            #expect(ports.matches(of: /port\.name = "capture_/).count == channels, "\(ports)")
        }
    }

    /// `pw-cli destroy` does the same: the card continues without it, and creates it again with the
    /// next profile.
    @Test func aDestroyedSourceIsRemovedFromTheCardToo() async throws {
        try await withCard { pipeWire, card in
            let observer = try await GraphObserver(remote: pipeWire.remote)
            await observer.expect("the source") { $0.node(mic) != nil }
            let id = try #require(await observer.graph.node(mic)?.id)
            _ = try await pipeWire.run("pw-cli", ["destroy", "\(id)"])
            try await card.wait(for: "the end of the source") { !$0.nodes.contains { $0.name == mic } }
            try await card.remove()
            try await card.add()
            let tap = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await tap.wait(cycles: 4)
        }
    }

    @Test func aMicrophoneEndsAndReturnsWithTheDaemon() async throws {
        try await withCard { pipeWire, card in
            let tap = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await tap.wait(cycles: 4)
            await pipeWire.killDaemon()
            await tap.close()
            await #expect(throws: TestKitError.self) { try await card.waitUntilTaken() }
            try await pipeWire.startDaemon()
            try await card.reconnect()
            let next = try await SourceTap(at: mic, remote: pipeWire.remote)
            try await next.wait(cycles: 4)
        }
    }
}

/// PipeWire's own recorder, as another process. It ends with its PipeWire at the latest.
private final class Recorder {
    private let process = Process()
    private let path: String

    init(at source: String, in pipeWire: PrivatePipeWire) throws {
        path = pipeWire.directory + "/recorder.wav"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pw-record", "--target", source, path]
        process.environment = pipeWire.environment
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for a further cycle.
    func waitUntilItRecords() async throws {
        let goal = try size() + 50_000
        try await waitUntil("pw-record has written \(goal) bytes") { try size() >= goal }
    }

    private func size() throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
