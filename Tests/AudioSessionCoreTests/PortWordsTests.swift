import AudioSessionCore
import Testing

@Suite struct PortWordsTests {
    @Test(arguments: [
        "", "-", "HDMI1", "[Out] HDMI1", "vc4-hdmi-0", "HiFi: Mic1: source", "..a..", "a b", "USB Audio (2)",
    ])
    func aNameHasTheSameWordsWhateverReadsIt(name: String) {
        // What is no ASCII is no letter here, and takes the way of those names that have such letters.
        #expect(PortWords(name) == PortWords(name + "™"))
        #expect(PortWords(name) == PortWords("→" + name))
    }

    @Test func wordsAreFoundWithoutTheirCase() {
        #expect(PortWords("[Out] HDMI1").containsWord(from: "hdmi"))
        #expect(!PortWords("[Out] HDMI1").containsWord(from: "dmi"))
        #expect(PortWords("Kopfhörer-Ausgang").contains("kopfhörer ausgang"))
        #expect(PortWords("ANALOG").contains("analog"))
    }
}
