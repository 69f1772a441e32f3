package import AudioSessionCore
package import PipeWireGraph

/// What a player needs of the world besides files, so that a test can be the world.
package struct PlayerEnvironment: Sendable {
    /// What is to be played, and how it is to be shown.
    package struct Request: Sendable {
        package var ring: FrameRing
        package var rate: Int
        package var properties: [(String, String)]
    }

    package typealias Open =
        @Sendable (Connection?, Request, _ receive: @escaping (PlaybackStream.Status) -> Void)
        throws(PlaybackError) -> any PlaybackOutput

    /// Whether there is anything to open an output on.
    package var isReady: @Sendable (Connection?) -> Bool
    /// Makes an output that is not active yet; `receive` is called on the manager's executor.
    package var open: Open

    package init(isReady: @escaping @Sendable (Connection?) -> Bool, open: @escaping Open) {
        self.isReady = isReady
        self.open = open
    }

    static let pipeWire = Self(
        isReady: { $0 != nil },
        open: { (connection, request, receive) throws(PlaybackError) in
            guard let connection else { throw PlaybackError.notConnected }
            do throws(PipeWireError) {
                return try PlaybackStream(
                    on: connection, ring: request.ring, rate: request.rate, properties: request.properties,
                    receive: receive)
            } catch {
                throw PlaybackError(.outputFailed, "\(error). PipeWire refused a stream to play on.")
            }
        })
}

/// What reads a player's ring.
package protocol PlaybackOutput: AnyObject {
    func setActive(_ active: Bool)
    func setGate(closed: Bool)
    func setGuard(_ nodes: [ObjectID])
    func setVolume(_ volume: Float)
    func setDuck(_ gain: Float)
    func setProperties(_ properties: [(String, String)])
    var report: PlaybackStream.Report { get }
}

extension PlaybackStream: PlaybackOutput {}

extension PlaybackError {
    static let notConnected = PlaybackError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be played. "
            + "Play again when the audio session manager is connected.")
}
