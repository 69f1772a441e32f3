import Foundation
import PipeWireGraph
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct RunOutputTests {
    private let pipe = Pipe()
    private let ending: Ending
    private let output: RunOutput

    init() throws {
        ending = try Ending()
        output = RunOutput(
            LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, ending: ending), ending: ending)
    }

    private func post(_ count: Int) { for number in 1...count { output.post(.integer(number)) } }

    /// Fills the pipe with long lines.
    private func fill() {
        let writer = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: Int(PIPE_BUF) - 1) + [UInt8(ascii: "\n")]
        while write(writer, line, line.count) > 0 {}
    }

    /// The number in a line about dropped lines; `nil` in another line.
    private static func dropped(_ line: String) throws -> Int? {
        guard line.contains(#""event":"dropped""#) else { return nil }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["count"] as? Int
    }

    @Test func aSlowReaderMissesTheOldestLines() async throws {
        let count = RunOutput.capacity + 100
        fill()
        post(count)
        var input = LineInput(
            descriptor: pipe.fileHandleForReading.fileDescriptor, ending: ending, limit: 1024)
        var lines: [String] = []
        while lines.last != "\(count)", let line = await input.next() {
            if !line.hasPrefix("x") { lines.append(line) }
        }
        let numbers = lines.compactMap { Int($0) }
        #expect(Array(numbers.suffix(RunOutput.capacity)) == Array(101...count))
        // The writing thread may hold one more line than those that wait.
        #expect(numbers.count <= RunOutput.capacity + 1)
        let dropped = try lines.compactMap { try Self.dropped($0) }
        #expect(!dropped.isEmpty && dropped.reduce(0, +) + numbers.count == count, "\(dropped)")
    }

    @Test func droppedLinesAreReportedWithTheTimeOfTheNextLine() async throws {
        let count = RunOutput.capacity + 100
        fill()
        for number in 1...count { output.post(.object([("t", .integer(number))])) }
        var input = LineInput(
            descriptor: pipe.fileHandleForReading.fileDescriptor, ending: ending, limit: 1024)
        var times: [Int] = []
        while times.last != count, let line = await input.next() {
            guard !line.hasPrefix("x") else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            times.append(try #require(object?["t"] as? Int))
        }
        #expect(times.count > RunOutput.capacity && times == times.sorted())
    }

    @Test func drainingWaitsForAllPostedLines() async throws {
        post(100)
        await output.drain(within: .seconds(60))
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.split(separator: "\n").compactMap { Int($0) } == Array(1...100))
    }

    @Test func aReaderThatDoesNotReadDelaysNeitherTheLimitNorASignal() async throws {
        fill()
        post(1)
        await output.drain(within: .zero)
        #expect(output.failure == nil)
        ending.request()
        await output.drain(within: .seconds(60))
        #expect(output.failure == .stopped)
    }
}
