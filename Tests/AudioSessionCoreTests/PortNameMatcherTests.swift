import AudioSessionCore
import Testing

@Suite struct PortWordsTests {
    @Test(arguments: [
        "", "-", "HDMI1", "[Out] HDMI1", "vc4-hdmi-0", "HiFi: Mic1: source", "..a..", "a b", "USB Audio (2)",
    ])
    func aNameHasTheSameWordsOnBothPaths(name: String) {
        // A character outside ASCII is no letter here, so the name takes the slow path.
        #expect(PortNameMatcher(name) == PortNameMatcher(name + "™"))
        #expect(PortNameMatcher(name) == PortNameMatcher("→" + name))
    }

    @Test func wordsAreFoundCaseInsensitively() {
        #expect(PortNameMatcher("[Out] HDMI1").containsWord(from: "hdmi"))
        #expect(!PortNameMatcher("[Out] HDMI1").containsWord(from: "dmi"))
        #expect(PortNameMatcher("Kopfhörer-Ausgang").contains("kopfhörer ausgang"))
        #expect(PortNameMatcher("ANALOG").contains("analog"))
    }
}
