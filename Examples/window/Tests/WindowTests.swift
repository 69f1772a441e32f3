import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Foundation
import Testing

@testable import WindowPlayer

/// The built window, on a virtual screen, beside programs that call and speak.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WindowTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "window-player.\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "gtk-4.0"), withIntermediateDirectories: true)
        try Data(
            """
            [Settings]
            gtk-theme-name=Default
            gtk-icon-theme-name=Adwaita
            gtk-font-name=Cantarell 11
            gtk-enable-animations=false
            gtk-decoration-layout=:close
            """.utf8
        ).write(to: folder.appending(path: "gtk-4.0/settings.ini"))
    }

    private func withWindow(
        _ titles: [String] = ["Slow Tide", "Glass Stairs"],
        _ body: (PrivatePipeWire, VirtualCard, WindowRun, Screen) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            // Plugged in before the window opens, because a jack that is pulled right after the
            // plug counts as bouncing.
            try await card.plug("headphones")
            try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
            let screen = try Screen()
            let files = try titles.map { try track($0) }
            let own = [
                "DISPLAY": screen.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                "GSETTINGS_BACKEND": "memory", "XDG_CONFIG_HOME": folder.path, "LC_ALL": "C.UTF-8",
            ]
            let window = try WindowRun(files, environment: pipeWire.environment.merging(own) { $1 })
            try await body(pipeWire, card, window, screen)
            try window.send("close")
            let end = await window.end()
            #expect(end.status == 0)
            #expect(!end.errors.contains("CRITICAL") && !end.errors.contains("WARNING"), "\(end.errors)")
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    /// A WAV file with tags.
    private func track(_ title: String) throws -> String {
        let (rate, seconds) = (8_000, 209)
        var format = Data()
        for (value, count) in [(1, 2), (1, 2), (rate, 4), (rate * 2, 4), (2, 2), (16, 2)] {
            format += Self.number(value, count)
        }
        var tags = Data("INFO".utf8)
        tags += Self.chunk("INAM", Data((title + "\0").utf8))
        tags += Self.chunk("IART", Data("The Harbour\0".utf8))
        var second = Data()
        for frame in 0..<rate {
            second += Self.number(Int(4_000 * sin(2 * .pi * 220 * Double(frame) / Double(rate))), 2)
        }
        var sound = Data()
        for _ in 0..<seconds { sound += second }
        var body = Data("WAVE".utf8)
        body += Self.chunk("fmt ", format)
        body += Self.chunk("LIST", tags)
        body += Self.chunk("data", sound)
        let file = folder.appending(path: title + ".wav")
        try Self.chunk("RIFF", body).write(to: file)
        return file.path
    }

    private static func chunk(_ name: String, _ body: Data) -> Data {
        Data(name.utf8) + number(body.count, 4) + body + Data(repeating: 0, count: body.count % 2)
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// A session of another program.
    private func session(
        _ name: String, _ configuration: AudioSession.Configuration, on pipeWire: PrivatePipeWire
    ) async throws -> AudioSession {
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: name))
        return try AudioSession(manager: manager, configuration: configuration)
    }

    /// The rows between the title of the window and the cover.
    private static let top = 50..<100
    /// Title and artist, in front of which the menu opens.
    private static let words = 440..<500
    /// A row in the middle of the progress bar.
    private static let progress = 529

    @Test func theBannerNamesTheInterrupter() async throws {
        try await withWindow { pipeWire, card, window, screen in
            let playing = try await window.shows("playing") { $0.isPlaying && $0.output?.name == "Headphones" }
            #expect(playing.title == "Slow Tide")
            #expect(playing.artist == "The Harbour")
            #expect(playing.duration == 209)
            #expect(playing.banner == nil)
            _ = try await screen.picture { $0.colorCount > 200 }
            try window.send("seek 82")
            try await window.shows("the place") { $0.position >= 82 }
            let before = try await screen.picture { abs($0.progress(inRow: Self.progress) - 82.0 / 209) < 0.05 }

            let call = try await session("Phone", .init(.playAndRecord, mode: .voiceChat), on: pipeWire)
            try await call.activate()
            let waiting = try await window.shows("the call") { $0.banner?.title == "Paused for Phone" }
            #expect(!waiting.isPlaying)
            let during = try await screen.picture { $0.rows(Self.top) != before.rows(Self.top) }
            try window.send("press banner")
            try await window.shows("a refusal") { $0.banner?.text.contains("of Phone") == true }
            try await call.deactivate()
            try await window.shows("playing again") { $0.isPlaying && $0.banner == nil }
            let after = try await screen.picture { $0.rows(Self.top) == before.rows(Self.top) }
            #expect(after != during)

            let prompt = try await session("Maps", .init(.playback, options: .duckOthers), on: pipeWire)
            try await prompt.activate()
            let lowered = try await window.shows("the prompt") { $0.banner?.title == "Lowered for Maps" }
            #expect(lowered.isPlaying)
            try await prompt.deactivate()
            try await window.shows("as before") { $0.banner == nil }

            try window.send("open routes")
            let menu = try await screen.picture { $0.rows(Self.words) != before.rows(Self.words) }
            try save([before, menu, during])
            for session in [call, prompt] { await session.manager.close() }
        }
    }

    @Test func theMenuChoosesAndAPulledPlugIsReported() async throws {
        try await withWindow { pipeWire, card, window, _ in
            let playing = try await window.shows("playing") { $0.isPlaying && $0.output?.name == "Headphones" }
            #expect(playing.chosen == nil)
            #expect(Set(playing.outputs.map(\.kind)) == ["Headphones", "Built-in Speaker"])
            try window.send("choose Speakers")
            try await window.shows("the speakers") { $0.output?.name == "Speakers" && $0.chosen == $0.output?.uid }
            try window.send("choose Automatic")
            try await window.shows("the headphones") { $0.output?.name == "Headphones" && $0.chosen == nil }
            try await card.unplug("headphones")
            let lost = try await window.shows("the loss") { $0.banner?.title == "Headphones disconnected" }
            #expect(!lost.isPlaying)
            try await window.shows("what is left") { $0.banner?.button == "Play on Speakers" }
            try window.send("press banner")
            try await window.shows("playing") { $0.isPlaying && $0.banner == nil && $0.output?.name == "Speakers" }
            try window.send("press next")
            let second = try await window.shows("the next") { $0.title == "Glass Stairs" }
            #expect(!second.hasNext)
        }
    }

    @Test func aFileThatCannotBePlayedHidesNoInterruption() async throws {
        try await withWindow(["Slow Tide", "Night Train", "Glass Stairs"]) { pipeWire, _, window, _ in
            try await window.shows("playing") { $0.isPlaying }
            // It was loaded, and is opened again when its turn comes.
            try FileManager.default.removeItem(at: folder.appending(path: "Night Train.wav"))
            try window.send("press next")
            try await window.shows("the failure") { $0.banner?.text.contains("Night Train.wav") == true }
            try await window.shows("the next file") { $0.title == "Glass Stairs" && $0.banner != nil }
            let call = try await session("Phone", .init(.playAndRecord, mode: .voiceChat), on: pipeWire)
            try await call.activate()
            try await window.shows("the call") { $0.banner?.title == "Paused for Phone" }
            try await call.deactivate()
            try await window.shows("playing again") { $0.isPlaying && $0.banner == nil }
            await call.manager.close()
        }
    }

    /// `Scripts/window --pictures` keeps them, one beside the other.
    private func save(_ pictures: [Picture]) throws {
        guard let path = ProcessInfo.processInfo.environment["AUDIOSESSIONS_PICTURE"] else { return }
        let (gap, size) = (24, Screen.size)
        var sheet = Picture(
            width: gap + (size.width + gap) * pictures.count, height: size.height + gap * 2, fill: [222, 221, 218])
        for (index, picture) in pictures.enumerated() {
            sheet.place(picture, x: gap + (size.width + gap) * index, y: gap)
        }
        try sheet.save(to: path)
    }
}
