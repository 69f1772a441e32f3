import AudioSessionPlayback
import AudioSessions
import Testing

@testable import MusicPlayer

@Suite struct ScreenTests {
    private func picture(_ model: PlayerModel, _ columns: Int, _ rows: Int) -> [String] {
        Screen(model: model, columns: columns, rows: rows).lines.map(\.text)
    }

    @Test func aWideScreenShowsEverything() {
        #expect(
            picture(.playing(trackCount: 4), 60, 16) == [
                "",
                "  music-player                              2 of 4 · 13:26",
                "",
                "    1  The Harbour – Slow Tide                        3:20",
                "  ▶ 2  The Harbour – Glass Stairs                     3:21",
                "    3  The Harbour – 夜の海と灯台                     3:22",
                "    4  The Harbour – Night Train                      3:23",
                "",
                "  ▶ Glass Stairs  The Harbour",
                "  0:50 ━━━━━━━━━━━─────────────────────────────────── 3:21",
                "",
                "  🎧 Headphones                    volume ━━━━━━━━──  80 %",
                "",
                "  21:07  playing on Headphones",
                "  space n p ←→ seek ↑↓ volume q quit",
                "",
            ])
    }

    @Test func aLowScreenKeepsTheListAndOmitsSpace() {
        #expect(
            picture(.playing(trackCount: 20), 40, 8)
                == [
                    "     1  The Harbour – Slow Tide   3:20",
                    "  ▶  2  The Harbour – Glass Stai… 3:21",
                    "     3  The Harbour – 夜の海と灯… 3:22",
                    "     4  The Harbour – Night Train 3:23",
                    "  0:50 ━━━━━━──────────────────── 3:21",
                    "  🎧 Headphones                   80 %",
                    "  playing on Headphones",
                    "  space n p ←→ seek ↑↓ volume q quit",
                ])
    }

    @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 19, 20, 24, 39, 40, 41, 49, 54, 55, 80, 200])
    func noLineIsWiderThanTheTerminalAndNoneIsMissing(columns: Int) {
        var silent = PlayerModel()
        silent.last = PlayerModel.Note(time: "00:00", text: String(repeating: "見", count: 100))
        var odd = PlayerModel.playing(on: .sample(.unknown, "\u{1B}[2J家族👨‍👩‍👧‍👦\n" + String(repeating: "x", count: 300)))
        odd.position = .seconds(-5)
        odd.volume = 7
        odd.current = 77
        odd.tracks.append(Track(title: "", duration: .seconds(400_000)))
        for model in [.playing(), .playing(trackCount: 3_000), .playing(on: nil), silent, odd, PlayerModel()] {
            for rows in [0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 24, 60] {
                let lines = Screen(model: model, columns: columns, rows: rows).lines
                #expect(lines.count == rows)
                for line in lines {
                    #expect(line.cells <= columns, "\(columns)x\(rows): \(line.text)")
                    #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
                }
            }
        }
    }

    @Test func aLongListFollowsTheCurrentTrack() {
        var model = PlayerModel.playing(trackCount: 100)
        for (current, first, last) in [(0, 1, 8), (3, 1, 8), (4, 1, 8), (50, 47, 54), (97, 93, 100), (99, 93, 100)] {
            model.current = current
            let list = picture(model, 60, 20)[3..<11]
            #expect(list.first?.contains("\(first)  The") == true, "\(current)")
            #expect(list.last?.contains("\(last)  The") == true, "\(current)")
            #expect(list.filter { $0.contains("▶ ") }.count == 1, "\(current)")
        }
    }

    @Test func tinyTerminalsShowTheMostImportantLines() {
        #expect(
            picture(.playing(), 20, 3) == ["▶ Glass Stairs  The…", "0:50 ━━──────── 3:21", "🎧 Headphones   80 %"])
        #expect(picture(.playing(), 9, 2) == ["▶ Glass …", "0:50 3:21"])
        #expect(picture(.playing(), 1, 1) == ["…"])
    }

    @Test func theRouteIsShownWithItsType() {
        func line(_ output: PortDescription?) -> String? {
            picture(.playing(on: output), 40, 5)[2].split(separator: "  ").first.map(String.init)
        }
        #expect(line(.headphones) == "🎧 Headphones")
        #expect(line(.speakers) == "🔈 Speakers")
        #expect(line(.buds) == "📶 Galaxy Buds · Bluetooth")
        #expect(line(.screen) == "📺 DELL U2720Q · HDMI?")
        #expect(line(.sample(.usbAudio, "Jabra", hint: .headphones)) == "🎧 Jabra · USB")
        #expect(line(nil) == "🔇 no output")
    }

    @Test func skippedFilesAreCounted() {
        var model = PlayerModel.playing()
        model.skippedCount = 1
        #expect(picture(model, 60, 16)[1].hasPrefix("  music-player · 1 file skipped  "))
        model.skippedCount = 2
        #expect(picture(model, 60, 16)[1].hasPrefix("  music-player · 2 files skipped  "))
    }

    @Test func anUnrequestedPauseShowsAdvice() {
        var model = PlayerModel.playing(on: .speakers)
        model.state = .paused(reason: .routeLost)
        model.last = PlayerModel.Note(time: "21:07", text: "headphones unplugged: paused")
        #expect(
            picture(model, 80, 24).contains("  21:07  headphones unplugged: paused · space plays on Speakers"))
        #expect(picture(model, 80, 24).contains("  ‖ Glass Stairs  The Harbour"))
        model.output = nil
        #expect(picture(model, 80, 24)[21].hasSuffix("paused · connect an output, then press space"))
    }

    @Test func aBarIsFilledToHalfACell() {
        func bar(_ share: Double) -> String { Screen.bar(share, cells: 4).map(\.text).joined() }
        #expect(bar(0) == "────")
        #expect(bar(0.13) == "╸───")
        #expect(bar(0.5) == "━━──")
        #expect(bar(1) == "━━━━")
        #expect(bar(-1) == "────")
        #expect(bar(9) == "━━━━")
        #expect(Screen.bar(0.5, cells: -3).map(\.text).joined().isEmpty)
    }
}
