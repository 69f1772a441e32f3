import Testing

@testable import MusicPlayer

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("海", 2), ("ｶ", 1), ("한국", 4), ("🎧", 2), ("❤️", 2), ("❤", 1),
        ("👨‍👩‍👧‍👦", 2), ("🇫🇷", 2), ("\u{200B}", 0), ("━╸─▶‖■·–…", 9),
    ])
    func charactersTakeCells(text: String, cells: Int) { #expect(text.cells == cells) }

    @Test func textIsCutBetweenCharacters() {
        #expect("Slow Tide".cut(to: 9) == "Slow Tide")
        #expect("Slow Tide".cut(to: 6) == "Slow …")
        #expect("夜の海と灯台".cut(to: 6) == "夜の…")
        #expect("夜の海と灯台".cut(to: 1) == "…")
        #expect("Slow".cut(to: 0).isEmpty)
        #expect("Slow".cut(to: -1).isEmpty)
    }

    @Test func controlCharactersAreRemoved() {
        #expect("a\u{1B}[31mb\nc\u{7F}\u{9B}d".printable == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}\u{FFFD}d")
        #expect("left\u{202E}right\u{2066}".printable == "leftright")
        #expect("👨‍👩‍👧‍👦 é 海".printable == "👨‍👩‍👧‍👦 é 海")
    }

    @Test(arguments: [
        (-3, "0:00"), (0, "0:00"), (9, "0:09"), (61, "1:01"), (3_600, "1:00:00"), (360_061, "100:01:01"),
    ])
    func timeIsShownAsOnAClock(seconds: Int, text: String) { #expect(Duration.seconds(seconds).clock == text) }

    @Test func theRightSideOfALineStays() {
        func line(_ cells: Int) -> String {
            Line([Piece(text: "left side")], [Piece(text: "right")], cells: cells).text
        }
        #expect(line(18) == "left side    right")
        #expect(line(12) == "left … right")
        #expect(line(5) == "right")
        #expect(line(3) == "ri…")
    }
}
