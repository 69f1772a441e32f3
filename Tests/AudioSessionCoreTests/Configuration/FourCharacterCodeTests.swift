import AudioSessionCore
import Testing

@Suite struct FourCharacterCodeTests {
    @Test(arguments: [
        ("!act", 560_030_580), ("!pri", 561_017_449), ("msrv", 1_836_282_486), ("spkr", 1_936_747_378),
        ("ent?", 1_701_737_535), ("    ", 0x2020_2020), ("0x12", 0x3078_3132), ("~~~~", 0x7e7e_7e7e),
        ("0x00000000", 0), ("0xffffffce", 0xffff_ffce), ("0x7f616263", 0x7f61_6263), ("0x6162001f", 0x6162_001f),
        ("0x6d84e269", 0x6d84_e269), ("0x0a0d1b5b", 0x0a0d_1b5b),
    ])
    func textAndNumberAreTheSame(text: String, number: UInt32) {
        #expect(FourCharacterCode(rawValue: number).description == text)
        #expect(FourCharacterCode(text)?.rawValue == number)
    }

    @Test func everyByteInEveryPositionIsReadBack() {
        for byte in UInt32(0)...255 {
            for place in stride(from: UInt32(0), through: 24, by: 8) {
                let code = FourCharacterCode(rawValue: 0x6162_6364 & ~(0xff << place) | byte << place)
                #expect(FourCharacterCode(code.description) == code)
                #expect(code.isPrintable == (0x20...0x7e).contains(byte))
                #expect(code.description.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            }
        }
    }

    @Test(arguments: [
        "", "abc", "abcde", "äbc", "abc\n", "a\u{0}bc", "0x", "0x1234567", "0x123456789", "0xabcdefgh", "0x+1234567",
        "0x-1234567", "1x00000000", "0X00000000", String(repeating: "a", count: 100_000),
    ])
    func invalidTextIsNoCode(text: String) {
        #expect(FourCharacterCode(text) == nil)
    }

    @Test func hexadecimalMayBeInCapitals() {
        #expect(FourCharacterCode("0xFFFFFFCE")?.status == -50)
    }

    @Test(arguments: [-50, 0, 560_030_580, .min, .max])
    func aStatusKeepsItsSign(status: Int32) {
        #expect(FourCharacterCode(status: status).status == status)
    }
}
