import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

@testable import VoiceRecorder

/// The built recorder, on a card whose microphone delivers a tone.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecorderTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func withMicrophone(_ body: (PrivatePipeWire, VirtualCard) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.usb(), remote: pipeWire.remote)
            try await body(pipeWire, card)
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    private func bytes(of file: String) -> Data { FileManager.default.contents(atPath: file) ?? Data() }

    @Test(arguments: [("memo.wav", "RIFF"), ("memo.flac", "fLaC")])
    func enterEndsTheRecordingAndOthersMayResume(name: String, mark: String) async throws {
        try await withMicrophone { pipeWire, _ in
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            let music = try AudioSession(manager: manager, configuration: .init(.playback))
            let events = music.events()
            try await music.activate()
            let file = folder.path + "/" + name
            let recorder = try ProgramRun("voice-recorder", [file], environment: pipeWire.environment)
            try await recorder.line("recording from ")
            for await case .interruptionBegan in events { break }
            try recorder.press("\n")
            try await recorder.line("kept 0:")
            #expect(try await recorder.end().status == 0)
            #expect(bytes(of: file).starts(with: mark.utf8))
            for await case .interruptionEnded(let options, _) in events {
                #expect(options.contains(.shouldResume))
                break
            }
            await manager.close()
        }
    }

    @Test func aPulledHeadsetEndsTheRecording() async throws {
        try await withMicrophone { pipeWire, card in
            let recorder = try ProgramRun(
                "voice-recorder", [folder.path + "/memo.wav"], environment: pipeWire.environment)
            try await recorder.line("recording from ")
            try await card.remove()
            try await recorder.line("ended: microphoneLost")
            try await recorder.line("kept ")
            #expect(try await recorder.end().status == 0)
        }
    }

    @Test func anImpossibleRecordingHasItsExitCode() async throws {
        try await withMicrophone { pipeWire, card in
            let nowhere = try ProgramRun("voice-recorder", ["/nowhere/memo.wav"], environment: pipeWire.environment)
            try await nowhere.line("'/nowhere/memo.wav' cannot be written")
            #expect(try await nowhere.end().status == 73)
            try await card.remove()
            let deaf = try ProgramRun(
                "voice-recorder", [folder.path + "/memo.wav"], environment: pipeWire.environment)
            try await deaf.line("No input is available.")
            #expect(try await deaf.end().status == 69)
        }
    }

    @Test func aFullDiskHasItsExitCode() async throws {
        try await withMicrophone { pipeWire, _ in
            let file = folder.path + "/memo.wav"
            let recorder = try ProgramRun("voice-recorder", [file], environment: pipeWire.environment, fileLimit: 64)
            try await recorder.line("ended: failed")
            try await recorder.line("kept ")
            #expect(try await recorder.end().status == 73)
            #expect(bytes(of: file).starts(with: "RIFF".utf8))
        }
    }

    @Test func theMeterShowsTheLevel() {
        #expect(LevelMeter.bar(.silence) == String(repeating: "·", count: 30) + " silence")
    }
}
