import AudioSessionCore
import Testing

@Suite struct AudioSessionErrorTests {
    typealias Code = AudioSessionError.Code

    @Test(arguments: [
        (Code.mediaServicesFailed, "mediaServicesFailed", 1_836_282_486, "msrv"),
        (.isBusy, "isBusy", 560_030_580, "!act"),
        (.incompatibleCategory, "incompatibleCategory", 560_161_140, "!cat"),
        (.cannotInterruptOthers, "cannotInterruptOthers", 560_557_684, "!int"),
        (.insufficientPriority, "insufficientPriority", 561_017_449, "!pri"),
        (.resourceNotAvailable, "resourceNotAvailable", 561_145_203, "!res"),
        (.expiredSession, "expiredSession", 561_210_739, "!ses"),
        (.sessionNotActive, "sessionNotActive", 1_768_841_571, "inac"),
        (.unspecified, "unspecified", 2_003_329_396, "what"),
    ])
    func applesCodesHaveApplesNumbers(code: Code, name: String, status: Int32, characters: String) {
        #expect(code.name == name)
        #expect(code.status == status)
        #expect(code.fourCharacterCode == characters)
        #expect(Code(status: status) == code)
    }

    @Test func aBadParameterHasANumberWithoutCharacters() {
        #expect(Code.badParam.status == -50)
        #expect(Code.badParam.fourCharacterCode == nil)
        #expect(Code(status: -50) == .badParam)
    }

    @Test(arguments: [
        (Code.timedOut, "timedOut"), (.closed, "closed"), (.resourcesExhausted, "resourcesExhausted"),
        (.notPermitted, "notPermitted"), (.forked, "forked"),
    ])
    func ownCodesHaveNoNumber(code: Code, name: String) {
        #expect(code.description == name)
        #expect(code.status == nil)
        #expect(code.fourCharacterCode == nil)
    }

    /// Success, `siri`, `ent?`, `!pla`, `!rec`, and undefined numbers.
    @Test(arguments: [0, 1_936_290_409, 1_701_737_535, 561_015_905, 561_145_187, -1, .min])
    func numbersWithoutMeaningHereAreNoCodes(status: Int32) {
        #expect(Code(status: status) == nil)
    }

    @Test func anIllegalConfigurationIsABadParameter() throws {
        let configuration = AudioSessionConfiguration(.playback, mode: .voiceChat, options: .defaultToSpeaker)
        let error = try #require(throws: AudioSessionError.self) { try configuration.validate() }
        #expect(error.code == .badParam)
        #expect(error.violations == configuration.violations)
        #expect(error.violations.count == 2)
        #expect(error.rule == error.violations.first?.rule)
        #expect(error.fix == error.violations.first?.fix)
        for violation in error.violations {
            #expect(error.message.contains(violation.rule))
            #expect(error.description.contains(violation.fix))
        }
    }
}
