import Testing

@testable import MusicPlayer

@Suite struct KeyTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(text.utf8)
    }

    @Test(arguments: [
        ("q", [Key.character("q")]), (" n", [.character(" "), .character("n")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA", [.up]), ("\u{1B}[1;5C", [.right]),
        // Page down, F5, an answer of the terminal and a character of two bytes are no commands.
        ("\u{1B}[6~\u{1B}[15~\u{1B}[?62;22c\u{E9}\u{7F}\t\r", []),
        // The escape key itself, and a key with Alt.
        ("\u{1B}q", [.character("q")]), ("\u{1B}\u{1B}[A", [.up]), ("\u{1B}[\u{1B}[B", [.down]),
    ])
    func bytesBecomeKeys(text: String, keys: [Key]) { #expect(self.keys(text) == keys) }

    @Test func aKeyMayArriveInPieces() {
        var decoder = KeyDecoder()
        #expect("\u{1B}[1;2".utf8.flatMap { decoder.decode([$0]) } == [])
        #expect(decoder.decode([UInt8(ascii: "D"), UInt8(ascii: "p")]) == [.left, .character("p")])
    }

    @Test func anyBytesAreAccepted() {
        var decoder = KeyDecoder()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 { _ = decoder.decode([UInt8.random(in: 0...255, using: &generator)]) }
        // This ends every sequence, whatever preceded it.
        #expect(decoder.decode("~~~q".utf8).last == .character("q"))
    }

    @Test(arguments: [
        (Key.character(" "), Command.playOrPause), (.character("n"), .next), (.character("p"), .previous),
        (.character("q"), .quit), (.character("+"), .changeVolume(5)), (.up, .changeVolume(5)),
        (.character("-"), .changeVolume(-5)), (.down, .changeVolume(-5)), (.right, .seek(.seconds(5))),
        (.left, .seek(.seconds(-5))),
    ])
    func keysAreCommands(key: Key, command: Command) { #expect(Command(key) == command) }

    @Test func otherKeysAreNoCommands() { #expect(Command(.character("x")) == nil) }
}
