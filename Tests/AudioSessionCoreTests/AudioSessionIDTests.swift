import AudioSessionCore
import Testing

@Suite struct AudioSessionIDTests {
    private static let text = "3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"

    @Test func itsTextIsReadBack() throws {
        let id = try #require(AudioSessionID(Self.text))
        #expect(id.description == Self.text)
        #expect(AudioSessionID(Self.text.uppercased()) == id)
    }

    @Test(arguments: [
        "", "music", "3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e1", "3b1c7a52+8f0e-4d6a-9b57-2f4f5d0c9e11", text + "0",
    ])
    func otherTextIsNone(text: String) { #expect(AudioSessionID(text) == nil) }

    /// Gives the same number forever.
    private struct Constant: RandomNumberGenerator {
        let number: UInt64

        mutating func next() -> UInt64 { number }
    }

    @Test func randomIDsAreUUIDsOfVersion4() {
        var (ones, zeros) = (Constant(number: .max), Constant(number: 0))
        #expect(AudioSessionID.random(using: &ones).description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        #expect(AudioSessionID.random(using: &zeros).description == "00000000-0000-4000-8000-000000000000")
    }
}
