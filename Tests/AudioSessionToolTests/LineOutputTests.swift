import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

@Suite struct LineOutputTests {
    init() { signal(SIGPIPE, SIG_IGN) }

    @Test func linesAreWrittenOneByOne() throws {
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
    func controlCharactersAreEscaped(name: String, printed: String) {
        #expect(LineOutput.printable(name) == printed)
    }

    @Test(arguments: [
        (["LC_ALL": "C"], true), (["LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"], true), (["LANG": "de_DE"], true),
        (["LC_CTYPE": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"], true), ([:], false), (["LC_ALL": "C.UTF-8"], false),
        (["LC_ALL": "", "LC_CTYPE": "en_US.utf8", "LANG": "C"], false), (["LANG": "ca_ES.UTF-8@valencia"], false),
    ])
    func aLocaleThatIsSetAndNotUTF8GetsASCII(environment: [String: String], isASCII: Bool) {
        #expect(LocaleText.isASCII { environment[$0] ?? "" } == isASCII)
    }

    @Test func textsAreConvertedToTheNearestASCII() {
        #expect(LocaleText.ascii("🎧 “Köpf” — plays… a → b") == "- \"K?pf\" - plays... a -> b")
    }

    @Test func eachLineOfAnErrorMessageIsPrintedByItself() {
        let pipe = Pipe()
        var output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        output.isASCII = false
        output.printError("a log:\nfirst \u{1B}\n\nlast\n")
        #expect(pipe.fileHandleForReading.availableData == Data("a log:\n  first \u{FFFD}\n  last\n".utf8))
    }

    @Test func aClosedReaderIsNoFailure() throws {
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

    /// Programs that share a descriptor share this setting as well.
    @Test(.timeLimit(.minutes(10))) func aWriterSleepsWhileANonBlockingDescriptorIsFull() async throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        _ = fcntl(writer.fileDescriptor, F_SETFL, O_NONBLOCK)
        let output = LineOutput(descriptor: writer.fileDescriptor)
        let (threads, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue(label: "writer").async {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            continuation.yield(thread ?? "")
            try? output.write(String(repeating: "x", count: 1 << 20))
            try? writer.close()
        }
        let thread = try #require(await threads.first { _ in true })
        try await waitUntil("the writer sleeps") {
            try String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8).contains(") S ")
        }
        #expect(try await ToolRun.text(of: pipe).count == 1 << 20 + 1)
    }

    @Test(.timeLimit(.minutes(10))) func aSignalEndsAWaitForAReaderThatDoesNotRead() throws {
        let pipe = Pipe()
        let ending = try Ending()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, ending: ending)
        let line = String(repeating: "x", count: 1 << 20)
        ending.request()
        #expect(throws: ToolFailure.stopped) { try output.write(line) }
    }

    @Test(.timeLimit(.minutes(10))) func allWaitingTasksReceiveTheEnd() async throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let ending = try Ending()
        async let ended: Void = ending.wait(orUntilAbandoned: output)
        ending.request()
        await ended
    }

    @Test(.timeLimit(.minutes(10))) func anIdleMonitorNoticesAClosedReader() async throws {
        let pipe = Pipe()
        let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let ending = try Ending()
        async let ended: Void = ending.wait(orUntilAbandoned: output)
        try pipe.fileHandleForReading.close()
        await ended
    }
}
