import ArgumentParser
import Foundation
import Testing

@testable import AudioSessionTool

@Suite struct LineOutputTests {
    init() { signal(SIGPIPE, SIG_IGN) }

    @Test func linesComeOutOneByOne() throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try output.write("one")
        #expect(pipe.fileHandleForReading.availableData == Data("one\n".utf8))
        try output.print("two")
        #expect(pipe.fileHandleForReading.availableData == Data("two\n".utf8))
    }

    @Test(arguments: [
        ("Köpfhörer 🎧 “x”", "Köpfhörer 🎧 “x”"), ("\u{1B}[2Jgone\r\n", "\u{FFFD}[2Jgone\u{FFFD}\u{FFFD}"),
        ("c1 \u{9B}31m", "c1 \u{FFFD}31m"), ("turned \u{202E}txet", "turned \u{FFFD}txet"),
        ("family 👨‍👩‍👧", "family 👨‍👩‍👧"),
    ])
    func whatATerminalWouldObeyIsNotPrinted(name: String, printed: String) {
        #expect(LineOutput.printable(name) == printed)
    }

    @Test func aReaderThatGoesAwayIsNoFailure() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(throws: ToolFailure.outputClosed) { try output.write("unheard") }
        #expect(ToolFailure.outputClosed.exitCode.rawValue == 0)
    }

    @Test func aFullDiskIsAFailure() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = LineOutput(descriptor: full.fileDescriptor)
        #expect(throws: ToolFailure.cannotWrite(reason: "No space left on device")) { try output.write("lost") }
    }

    @Test(.timeLimit(.minutes(10))) func aSignalEndsAWaitForAReaderThatDoesNotRead() throws {
        let pipe = Pipe()
        let ending = try Ending()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, ending: ending)
        let line = String(repeating: "x", count: 1 << 20)
        ending.request()
        #expect(throws: ToolFailure.stopped) { try output.write(line) }
    }

    @Test(.timeLimit(.minutes(10))) func anEndIsToldToWhoeverWaitsForIt() async throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let ending = try Ending()
        async let ended: Void = ending.wait(orUntilAbandoned: output)
        ending.request()
        await ended
    }

    @Test(.timeLimit(.minutes(10))) func anIdleMonitorLearnsThatNobodyReadsAnyMore() async throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let ending = try Ending()
        async let ended: Void = ending.wait(orUntilAbandoned: output)
        try pipe.fileHandleForReading.close()
        await ended
    }
}
