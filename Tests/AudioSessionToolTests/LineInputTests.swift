import Foundation
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct LineInputTests {
    private let pipe = Pipe()

    private func input(_ ending: Ending) -> LineInput {
        LineInput(descriptor: pipe.fileHandleForReading.fileDescriptor, ending: ending, limit: 1024)
    }

    private func send(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    @Test func linesAreReadHoweverTheyWereWritten() async throws {
        var input = input(try Ending())
        try send("one\ntw")
        #expect(await input.next() == "one")
        try send("o\n\nthree")
        #expect(await input.next() == "two")
        #expect(await input.next() == "")
        try pipe.fileHandleForWriting.close()
        #expect(await input.next() == "three")
        #expect(await input.next() == nil)
        #expect(await input.next() == nil)
    }

    @Test func anIncompleteLineDoesNotDelayTheEnd() async throws {
        let ending = try Ending()
        var input = input(ending)
        try send("half")
        async let line = input.next()
        ending.request()
        #expect(await line == nil)
    }

    @Test func onlyTheBeginningOfAnEndlessLineIsKept() async throws {
        var input = LineInput(
            descriptor: pipe.fileHandleForReading.fileDescriptor, ending: try Ending(), limit: 8)
        DispatchQueue.global().async { [pipe] in
            pipe.fileHandleForWriting.write(Data(repeating: 0x78, count: 1 << 20) + Data("\nshort\n".utf8))
        }
        #expect(await input.next() == "xxxxxxxxx")
        #expect(await input.next() == "short")
    }
}
