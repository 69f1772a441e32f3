import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// A card with a level meter, and players of constant level, so that two of them are twice as loud.
struct LoudStage {
    /// The level of one player, as a fraction of full scale.
    static let loud: Float = 0.125
    static let ducked = loud * 0.2

    let pipeWire: PrivatePipeWire
    let card: VirtualCard
    let tap: SinkTap
    let bus: PrivateBus

    static func with(_ body: (LoudStage) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let tap = try await SinkTap(
            sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote, threshold: 0.005)
        let stage = LoudStage(pipeWire: pipeWire, card: card, tap: tap, bus: try await PrivateBus())
        for seconds in [3, 600] { try sound(seconds).write(to: URL(fileURLWithPath: stage.file(seconds))) }
        try await body(stage)
        await tap.close()
        await card.close()
        await stage.bus.stop()
        await pipeWire.stop()
    }

    /// A sound of 3 or 600 seconds.
    func file(_ seconds: Int = 600) -> String { "\(pipeWire.directory)/\(seconds).wav" }

    var player: String { pipeWire.tools + "/pw-play" }

    func play() async throws -> ChildProcess { try await pipeWire.launch(player, [file()], log: "player") }

    /// Waits for this level of all sound during a number of frames.
    func wait(for level: Float, during frames: UInt64 = 2400, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        var peak: Float = 0
        try await waitUntil("the level is \(level), not \(peak)", sourceLocation: sourceLocation) {
            await tap.reset()
            peak = try await tap.waitUntilHeard(frames: frames).peak
            return abs(peak - level) <= Self.loud * 0.04
        }
    }

    /// The environment of the tool and its children.
    var environment: [String: String] {
        pipeWire.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
    }

    func tool(_ arguments: String...) async throws -> RunningTool { try RunningTool(arguments, environment) }

    /// The samples in 16-bit stereo.
    private static func sound(_ seconds: Int) -> Data {
        var samples = [UInt8](repeating: 0, count: seconds * 8000 * 4)
        for index in stride(from: 1, to: samples.count, by: 2) { samples[index] = 0x10 }
        return Data(waveFile(samples, rate: 8000))
    }
}

/// The tool while it runs, with its standard files.
final class RunningTool {
    let process: ChildProcess
    private let input = Foundation.Pipe()
    private let output = Foundation.Pipe()
    private let errors = Foundation.Pipe()
    private var lines: LineInput
    private var errorLines: LineInput

    init(_ arguments: [String], _ environment: [String: String]) throws {
        let ending = try Ending()
        // It only ends a test that fails: a line later than that counts as missing.
        DispatchQueue.global().asyncAfter(deadline: .now() + 570) { [weak ending] in ending?.request() }
        lines = LineInput(descriptor: output.fileHandleForReading.fileDescriptor, ending: ending, limit: .max)
        errorLines = LineInput(descriptor: errors.fileHandleForReading.fileDescriptor, ending: ending, limit: .max)
        process = try ToolRun.start(arguments, environment, input: input, output: output, errors: errors)
    }

    deinit { process.signal(SIGKILL) }

    /// The next line of standard output; `nil` at its end.
    func line() async -> String? { await lines.next() }

    /// The next line of standard error with this text.
    func errorLine(with text: String) async throws -> String {
        while let line = await errorLines.next() { if line.contains(text) { return line } }
        throw LiveTool.Missing(description: "no '\(text)' on standard error")
    }

    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8)) }

    func endInput() throws { try input.fileHandleForWriting.close() }

    func stopReading() throws { try output.fileHandleForReading.close() }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for its end with this exit code.
    func expectEnd(_ code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) async {
        let status = await process.exited()
        #expect(status == .code(code), sourceLocation: sourceLocation)
    }
}
