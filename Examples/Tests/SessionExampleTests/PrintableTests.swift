import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

@testable import ExampleSupport
@testable import HelloSession

/// Names of other programs and devices are escaped for a terminal.
@Suite(.timeLimit(.minutes(10))) struct PrintableTests {
    private static let texts = [
        ("a\u{1B}]0;title\u{7}b", "a\u{FFFD}]0;title\u{FFFD}b"), ("a\u{9B}31mb", "a\u{FFFD}31mb"),
        ("two\nlines\u{2028}", "two\u{FFFD}lines\u{FFFD}"), ("left\u{202E}right", "left\u{FFFD}right"),
        ("👨‍👩‍👧‍👦 é 海", "👨‍👩‍👧‍👦 é 海"),
    ]

    @Test(arguments: texts) func controlCharactersAreReplaced(text: String, printable: String) {
        #expect(text.printable == printable)
        #expect(HelloSession.printable(text) == printable)
    }

    @Test func aLocaleWithoutUTF8GetsTheNearestASCII() {
        #expect("▶ 1 “é” · ▮▯…".ascii == "> 1 \"?\" - #=...")
    }

    @Test func theNameOfAnotherProgramIsPrintedSo() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let hello = try ProgramRun("hello-session", [], environment: pipeWire.environment)
        try await hello.line("playing on ")
        let manager = try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: "evil\u{1B}[2J"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        try await session.activate()
        try await hello.line("interrupted by evil\u{FFFD}[2J: paused")
        await manager.close()
        await card.close()
        await pipeWire.stop()
    }
}
