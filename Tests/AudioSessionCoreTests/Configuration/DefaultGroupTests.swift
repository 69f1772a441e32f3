import Testing

@testable import AudioSessionCore

@Suite struct DefaultGroupTests {
    @Test(
        arguments: [
            (nil, "shared", "shared"), ("own", "shared", "own"), (nil, nil, nil), (nil, "", nil), ("own", nil, "own"),
            (nil, String(repeating: "g", count: 64), String(repeating: "g", count: 64)),
        ] as [(String?, String?, String?)])
    func theEnvironmentVariableNamesTheDefaultGroup(own: String?, environment: String?, group: String?) throws {
        let configuration = AudioSessionConfiguration(.playback, group: own)
        #expect(try configuration.inDefaultGroup(environment).group == group)
    }

    @Test func aNameThatIsTooLongIsRefusedAndTheVariableNamed() throws {
        let name = String(repeating: "g", count: 65)
        let error = try #require(throws: AudioSessionError.self) {
            try AudioSessionConfiguration(.playback).inDefaultGroup(name)
        }
        #expect(error.code == .badParam)
        #expect(error.message.contains("AUDIOSESSION_GROUP"))
        #expect(try AudioSessionConfiguration(.playback, group: "own").inDefaultGroup(name).group == "own")
    }
}
