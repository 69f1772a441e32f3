package import AudioSessionCore
package import AudioSessions
package import PipeWireGraph

/// The dependencies of a player or recorder besides files, which tests replace.
package struct StreamEnvironment<Stream>: Sendable {
    package typealias Open =
        @Sendable (Connection?, StreamRequest, _ receive: @escaping (GraphStream.Status) -> Void)
        throws(AudioSessionError) -> Stream

    package typealias LoadEchoCanceller =
        @Sendable (_ completion: @escaping @Sendable (_ isInstalled: Bool) -> Void) -> Void

    /// Returns whether a stream can be opened.
    package var isReady: @Sendable (AudioSessionManager) -> Bool
    /// Makes a stream; `receive` is called on the manager's executor.
    package var open: Open
    /// Loads what a stream needs to cancel the echo, without blocking the caller. `completion`
    /// receives whether it is installed, on any thread.
    package var loadEchoCanceller: LoadEchoCanceller

    package init(
        isReady: @escaping @Sendable (AudioSessionManager) -> Bool = { $0.isConnected },
        loadEchoCanceller: @escaping LoadEchoCanceller = { EchoCanceller.load($0) }, open: @escaping Open
    ) {
        self.isReady = isReady
        self.open = open
        self.loadEchoCanceller = loadEchoCanceller
    }
}

/// The parameters of a new stream: its ring, format, names and properties.
package struct StreamRequest: Sendable {
    package var exchange: SampleExchange
    package var rate: Int
    package var properties: [(String, String)]
    /// The properties of the stream of the output whose echo is cancelled; `nil` to cancel none.
    package var echoReference: [(String, String)]?
}

// MARK: Playing

/// The dependencies of a player. Its outputs are inactive at first.
package typealias PlayerEnvironment = StreamEnvironment<any PlaybackOutput>

extension PlayerEnvironment {
    static var pipeWire: Self {
        Self(open: { (connection, request, receive) throws(AudioSessionError) in
            guard let connection else { throw AudioSessionError.playerNotConnected }
            do throws(PipeWireError) {
                return try PlaybackStream(
                    on: connection, exchange: request.exchange, rate: request.rate, properties: request.properties,
                    receive: receive)
            } catch {
                throw AudioSessionError(
                    .outputFailed,
                    "PipeWire refused a playback stream (\(error)). "
                        + "Read its log ('journalctl --user -u pipewire'), and play again.", underlying: error)
            }
        })
    }
}

/// A stream that reads a player's ring.
package protocol PlaybackOutput: AnyObject {
    func setActive(_ active: Bool)
    func setGate(closed: Bool)
    func setGateTriggers(_ nodes: [ObjectID])
    func setVolume(_ volume: Float)
    func setDuck(_ gain: Float)
    func setProperties(_ properties: [(String, String)])
    var report: PlaybackStream.Report { get }
}

extension PlaybackStream: PlaybackOutput {}

extension AudioSessionError {
    static let playerNotConnected = AudioSessionError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be played. "
            + "Play again when the audio session manager is connected.")
}

// MARK: Recording

/// The dependencies of a recorder. Its inputs record at once.
package typealias RecorderEnvironment = StreamEnvironment<any RecordingInput>

extension RecorderEnvironment {
    static var pipeWire: Self {
        Self(open: { (connection, request, receive) throws(AudioSessionError) in
            guard let connection else { throw AudioSessionError.recorderNotConnected }
            do throws(PipeWireError) {
                if let reference = request.echoReference {
                    return try EchoCancelledStream(on: connection, request, reference: reference, receive: receive)
                }
                return try CaptureStream(
                    on: connection, exchange: request.exchange, rate: request.rate, properties: request.properties,
                    receive: receive)
            } catch {
                throw AudioSessionError(
                    .inputFailed,
                    "PipeWire refused a recording stream (\(error)). "
                        + "Read its log ('journalctl --user -u pipewire'), and record again.", underlying: error)
            }
        })
    }
}

/// A stream that fills a recorder's ring.
package protocol RecordingInput: AnyObject {
    func setGate(closed: Bool)
    func setMuted(_ isMuted: Bool)
    func setGateTriggers(_ nodes: [ObjectID])
    func setProperties(_ properties: [(String, String)])
    /// Replaces the stream of the output whose echo is cancelled. The stream must have been opened
    /// with one.
    func setEchoReference(_ properties: [(String, String)])
    /// Sets how long after it is played the output's sound is heard, as far as PipeWire knows.
    func setOutputLatency(_ latency: Duration)
    /// Whether an output's sound arrives for comparison.
    var cancelsEcho: Bool { get }
    var report: CaptureStream.Report { get }
}

extension RecordingInput {
    package func setEchoReference(_ properties: [(String, String)]) {}
    package func setOutputLatency(_ latency: Duration) {}
    package var cancelsEcho: Bool { false }
}

extension CaptureStream: RecordingInput {}

// MARK: The manager

extension AudioSessionManager {
    /// Returns the names under which a stream appears in mixers.
    nonisolated func streamNames(application: String?, node: String?) -> [(String, String)] {
        let application = (application ?? configuration.applicationName).map { ("application.name", $0) }
        return [application, node.map { ("node.name", $0) }].compactMap(\.self)
    }
}
