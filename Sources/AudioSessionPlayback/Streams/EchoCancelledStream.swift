import AudioSessionCore
import PipeWireGraph

/// A stream that records without the echo of the session's output. It consists of the microphone's
/// stream and a stream of the output's monitor.
final class EchoCancelledStream: RecordingInput {
    private let connection: Connection
    private let canceller: EchoCanceller
    private let group: [(String, String)]
    private let capture: CaptureStream
    private var reference: ReferenceStream?

    init(
        on connection: Connection, _ request: StreamRequest, reference properties: [(String, String)],
        receive: @escaping (GraphStream.Status) -> Void
    ) throws(PipeWireError) {
        self.connection = connection
        canceller = try EchoCanceller(rate: request.rate)
        // Both streams have one driver, so that the graph's clock is the same for both.
        group = [("node.group", "audio-session-echo-" + String(UInt64.random(in: 0...(.max)), radix: 16))]
        capture = try CaptureStream(
            on: connection, exchange: request.exchange, canceller: canceller, rate: request.rate,
            properties: request.properties + group, receive: receive)
        try openReference(properties)
    }

    // The reference must have ended when the capture stream ends.
    deinit { reference = nil }

    private func openReference(_ properties: [(String, String)]) throws(PipeWireError) {
        reference = try ReferenceStream(
            on: connection, canceller: canceller, properties: [("media.name", "Echo reference")] + properties + group,
            receive: { _ in })
    }

    /// Without a reference the microphone is recorded as it is, until the output changes again.
    func setEchoReference(_ properties: [(String, String)]) {
        reference = nil
        try? openReference(properties)
    }

    func setGate(closed: Bool) { capture.setGate(closed: closed) }
    func setMuted(_ isMuted: Bool) { capture.setMuted(isMuted) }
    func setGateTriggers(_ nodes: [ObjectID]) { capture.setGateTriggers(nodes) }
    func setProperties(_ properties: [(String, String)]) { capture.setProperties(properties) }

    func setOutputLatency(_ latency: Duration) { canceller.setOutputLatency(latency) }

    var cancelsEcho: Bool { canceller.hasReference }

    var report: CaptureStream.Report {
        var report = capture.report
        report.delay += canceller.latency
        return report
    }
}
