import ArgumentParser
import AudioSessions
import Testing

@testable import AudioSessionTool

/// The meaning of the options of `with`, `duck` and `pause`.
@Suite struct SilencingTests {
    private func settings(_ arguments: String...) throws -> Silencing {
        let words = ["with"] + arguments + ["--", "true"]
        return try #require(try AudioSessionTool.parseAsRoot(words) as? WithCommand).settings()
    }

    @Test func othersPauseUnlessTheyAreToBeDuckedOrTheSessionMixes() throws {
        #expect(try settings() == Silencing(.pause, .init(.playback, mode: .voicePrompt)))
        #expect(try settings().configuration.unmanagedAudioPolicy == .silence)
        #expect(try settings("--pause").configuration.unmanagedAudioPolicy == .silence)
        #expect(try settings("--duck") == Silencing(nil, .init(.playback, mode: .voicePrompt, options: .duckOthers)))
        #expect(try settings("--duck").configuration.unmanagedAudioPolicy == .duck)
        #expect(try settings("--mix").configuration.unmanagedAudioPolicy == .leave)
        #expect(try settings("--mix").configuration.isMixable)
        #expect(try settings("--category", "ambient").configuration.unmanagedAudioPolicy == .leave)
        #expect(try settings("--category", "ambient", "--mix").configuration.options == [])
        #expect(try settings("--options", "duckOthers").configuration.unmanagedAudioPolicy == .duck)
        #expect(try settings("--category", "playAndRecord", "--duck").configuration.ducksOthers)
    }

    @Test func theSessionIsConfiguredAsTheOptionsSay() throws {
        let silencing = try settings(
            "--category", "playAndRecord", "--mode", "voiceChat", "--options", "allowBluetoothHFP", "--priority",
            "alarm", "--except", "mpv", "--except", "Speech")
        var call = AudioSession.Configuration(
            .playAndRecord, mode: .voiceChat, options: .allowBluetoothHFP, priority: .alarm)
        call.unmanagedAudioPolicy = .silence
        #expect(silencing.configuration == call)
        #expect(silencing.exceptions == .init(names: ["mpv", "Speech"]))
        #expect(try settings("--mode", "default").configuration.mode == .default)
        #expect(try settings("--category", "record").configuration.category == .record)
        let duck = try #require(
            try AudioSessionTool.parseAsRoot(["duck", "--seconds", "0.5", "--priority", "emergency"]) as? DuckCommand)
        #expect(duck.hold.seconds == 0.5 && duck.silencing.priority == .emergency)
        #expect(try AudioSessionTool.parseAsRoot(["pause", "--except", "orca"]) is PauseCommand)
    }

    @Test(arguments: [
        ["with"], ["with", "true"], ["with", "--"], ["with", "--pause", "--duck", "--", "true"],
        ["with", "--category", "loud", "--", "true"], ["with", "--options", "loud", "--", "true"],
        ["with", "--pause", "--category", "ambient", "--", "true"], ["with", "--priority", "high", "--", "true"],
        ["with", "--category", "soloAmbient", "--duck", "--", "true"], ["with", "--mode", "x", "--", "true"],
        ["duck", "--seconds", "-1"], ["pause", "--seconds", "x"], ["pause", "--priority", "loud"], ["duck", "true"],
    ])
    func aWrongCommandLineIsAUsageError(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try AudioSessionTool.parseAsRoot(arguments) }
        #expect(AudioSessionTool.exitCode(for: error).rawValue == 64, "\(arguments)")
    }
}
