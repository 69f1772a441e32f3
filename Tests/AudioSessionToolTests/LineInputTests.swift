import Foundation
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(1))) struct LineInputTests {
    private let pipe = Pipe()

    private func input(_ ending: Ending) -> LineInput {
        LineInput(descriptor: pipe.fileHandleForReading.fileDescriptor, ending: ending)
    }

    private func send(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    @Test func linesComeHoweverTheyWereWritten() async throws {
        var input = input(try Ending())
        try send("one\ntw")
        #expect(try await input.next() == "one")
        try send("o\n\nthree")
        #expect(try await input.next() == "two")
        #expect(try await input.next() == "")
        try pipe.fileHandleForWriting.close()
        #expect(try await input.next() == "three")
        #expect(try await input.next() == nil)
        #expect(try await input.next() == nil)
    }

    @Test func anEndIsNotWaitedOutByHalfALine() async throws {
        let ending = try Ending()
        var input = input(ending)
        try send("half")
        async let line = input.next()
        ending.request()
        #expect(try await line == nil)
    }

    @Test func aLineThatNeverEndsIsRefused() async throws {
        let ending = try Ending()
        var input = input(ending)
        DispatchQueue.global().async { [pipe] in
            pipe.fileHandleForWriting.write(Data(repeating: 0x78, count: LineInput.lengthLimit + 1))
        }
        await #expect(throws: ToolFailure.self) { try await input.next() }
    }
}
