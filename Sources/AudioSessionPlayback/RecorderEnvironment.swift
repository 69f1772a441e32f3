package import AudioSessionCore
package import PipeWireGraph

/// What a recorder needs of the world besides files, so that a test can be the world.
package struct RecorderEnvironment: Sendable {
    /// What is to be recorded into, and how it is to be shown.
    package struct Request: Sendable {
        package var ring: FrameRing
        package var rate: Int
        package var properties: [(String, String)]
    }

    package typealias Open =
        @Sendable (Connection?, Request, _ receive: @escaping (CaptureStream.Status) -> Void)
        throws(RecordingError) -> any RecordingInput

    /// Whether there is anything to open an input on.
    package var isReady: @Sendable (Connection?) -> Bool
    /// Makes an input that records at once; `receive` is called on the manager's executor.
    package var open: Open

    package init(isReady: @escaping @Sendable (Connection?) -> Bool, open: @escaping Open) {
        self.isReady = isReady
        self.open = open
    }

    static let pipeWire = Self(
        isReady: { $0 != nil },
        open: { (connection, request, receive) throws(RecordingError) in
            guard let connection else { throw RecordingError.notConnected }
            do throws(PipeWireError) {
                return try CaptureStream(
                    on: connection, ring: request.ring, rate: request.rate, properties: request.properties,
                    receive: receive)
            } catch {
                throw RecordingError(.inputFailed, "\(error). PipeWire refused a stream to record from.")
            }
        })
}

/// What fills a recorder's ring.
package protocol RecordingInput: AnyObject {
    func setGate(closed: Bool)
    func setMuted(_ isMuted: Bool)
    func setGuard(_ nodes: [ObjectID])
    func setProperties(_ properties: [(String, String)])
    var report: CaptureStream.Report { get }
}

extension CaptureStream: RecordingInput {}
