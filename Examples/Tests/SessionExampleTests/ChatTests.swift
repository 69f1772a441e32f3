import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

@testable import VoiceChat

/// Two built programs that talk, each on a computer of its own or both on one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChatTests {
    private static let sink = "alsa_output.pci-virtual_0.analog-stereo"
    private let folder: Folder
    private var socket: String { folder.path + "/chat" }

    init() throws { folder = try Folder() }

    /// A laptop without a microphone.
    private static var speakers: VirtualCardDescription {
        var laptop = VirtualCardDescription.builtIn()
        laptop.routes.removeAll { $0.direction == .input }
        laptop.nodes.removeAll { $0.direction == .input }
        for index in laptop.profiles.indices { laptop.profiles[index].nodes.removeAll { $0 == "mic" } }
        return laptop
    }

    /// The virtual card's microphone delivers a tone, which the other side has to hear.
    @Test func eachSideHearsTheOtherUntilOneHangsUp() async throws {
        let (here, there) = (try await PrivatePipeWire(), try await PrivatePipeWire())
        do {
            let cards = [
                try await VirtualCard(.builtIn(), remote: here.remote),
                try await VirtualCard(.builtIn(), remote: there.remote),
            ]
            let taps = [
                try await SinkTap(sink: Self.sink, remote: here.remote),
                try await SinkTap(sink: Self.sink, remote: there.remote),
            ]
            let first = try ProgramRun("voice-chat", ["--with-echo", socket], environment: here.environment)
            try await first.line("waiting at ")
            #expect(try permissions(of: socket) == 0o700)
            let second = try ProgramRun("voice-chat", ["--with-echo", socket], environment: there.environment)
            for program in [first, second] { try await program.line("talking, with echo") }
            for tap in taps { try await tap.waitUntilLoud() }
            try second.press("\n")
            try await second.line("hung up")
            try await first.line("the other side hung up")
            for program in [first, second] { #expect(try await program.end().status == 0) }
            #expect(!FileManager.default.fileExists(atPath: socket))
            for tap in taps { await tap.close() }
            for card in cards { await card.close() }
        } catch {
            for computer in [here, there] { await computer.stop() }
            throw error
        }
        for computer in [here, there] { await computer.stop() }
    }

    @Test func bothEndsOnOneComputerInterruptOthersOnly() async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            let music = try AudioSession(manager: manager, configuration: .init(.playback))
            let events = music.events()
            try await music.activate()
            let first = try ProgramRun("voice-chat", [socket], environment: pipeWire.environment)
            try await first.line("waiting at ")
            #expect(music.state == .active, "nothing is interrupted before the call")
            let second = try ProgramRun("voice-chat", [socket], environment: pipeWire.environment)
            for program in [first, second] { try await program.line("talking, echo cancelled") }
            for await case .interruptionBegan in events { break }
            // The other end of a program that was killed notices.
            second.signal(SIGKILL)
            try await first.line("the other side hung up")
            #expect(try await first.end().status == 0)
            #expect(!first.seen.contains { $0.hasPrefix("interrupted") }, "\(first.seen)")
            for await case .interruptionEnded(let options, _) in events {
                #expect(options.contains(.shouldResume))
                break
            }
            await manager.close()
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    @Test func theLossOfTheLastMicrophoneIsPrintedAndAnotherOneIsUsed() async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let speakers = try await VirtualCard(Self.speakers, remote: pipeWire.remote)
            let headset = try await VirtualCard(.usb(), remote: pipeWire.remote)
            let first = try ProgramRun("voice-chat", ["--with-echo", socket], environment: pipeWire.environment)
            try await first.line("waiting at ")
            let second = try ProgramRun("voice-chat", ["--with-echo", socket], environment: pipeWire.environment)
            for program in [first, second] { try await program.line("speaking into ") }
            try await headset.remove()
            for program in [first, second] { try await program.line("No input is available.") }
            try await headset.add()
            for program in [first, second] { try await program.line("speaking into ") }
            try second.press("\n")
            for program in [first, second] { #expect(try await program.end().status == 0) }
            for card in [speakers, headset] { await card.close() }
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    /// Another call interrupts the first program only, because the second one mixes with calls.
    @Test func aMicrophoneIsUsedAfterAnInterruptionOnlyIfTheCallGoesOn() async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let speakers = try await VirtualCard(Self.speakers, remote: pipeWire.remote)
            let headset = try await VirtualCard(.usb(), remote: pipeWire.remote)
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Phone"))
            let call = try AudioSession(
                manager: manager, configuration: .init(.playback, priority: .communication))
            let first = try ProgramRun("voice-chat", ["--with-echo", socket], environment: pipeWire.environment)
            try await first.line("waiting at ")
            let second = try ProgramRun("voice-chat", ["--with-echo", socket], environment: pipeWire.environment)
            for program in [first, second] { try await program.line("speaking into ") }

            try await headset.remove()
            for program in [first, second] { try await program.line("No input is available.") }
            try await call.activate()
            try await first.line("interrupted by Phone")
            try await headset.add()
            try await second.line("speaking into ")
            try await call.deactivate()
            try await first.line("speaking into ")

            try await call.activate()
            try await first.line("interrupted by Phone")
            try await call.deactivate([])
            try await first.line("the interruption is over: staying silent")
            let count = first.seen.count
            try await headset.remove()
            try await second.line("No input is available.")
            try await headset.add()
            try await second.line("speaking into ")
            try second.press("\n")
            for program in [first, second] { #expect(try await program.end().status == 0) }
            #expect(!first.seen.dropFirst(count).contains { $0.hasPrefix("speaking into ") }, "\(first.seen)")
            await manager.close()
            for card in [speakers, headset] { await card.close() }
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    @Test func aFileAtThePathStays() throws {
        try Data("letter".utf8).write(to: URL(filePath: socket))
        #expect(throws: Line.Failure.self) { try Line(path: socket) }
        #expect(FileManager.default.contents(atPath: socket) == Data("letter".utf8))
    }

    @Test func packetsOfAnySizeAreReceivedOrDropped() async throws {
        let (first, second) = (try Line(path: socket), try Line(path: socket))
        #expect(first.isWaiting && !second.isWaiting)
        for line in [first, second] { for await isThere in line.connections.prefix(1) { #expect(isThere) } }
        second.send([])
        second.send([.nan, 4, -.infinity, 0.5])
        second.send(Array(repeating: 0.25, count: 16_385))
        second.send([0.125])
        var packets = first.received.makeAsyncIterator()
        #expect(await packets.next() == [0, 1, 0, 0.5])
        #expect(await packets.next() == [0.125])
        second.close()
        first.close()
    }

    private func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
