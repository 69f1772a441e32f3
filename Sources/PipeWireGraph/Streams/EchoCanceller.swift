import CPipeWireShim

/// PipeWire's WebRTC canceller, which removes the sound that a sink plays from the sound that one
/// stream records.
///
/// Sendable, because the object behind it is shared by reference and each of its functions may be
/// called on any thread.
package final class EchoCanceller: @unchecked Sendable {
    let handle: OpaquePointer
    package let rate: Int

    /// Whether the plugin is installed. Each call searches for it, which takes a few milliseconds.
    package static var isAvailable: Bool { cpw_canceller_is_available() }

    /// Loads the plugin on a thread of its own, so that making a canceller reads nothing from the
    /// disk. It stays loaded until the process ends.
    /// - Parameter completion: Receives whether the plugin is installed, on any thread.
    package static func load(_ completion: @escaping @Sendable (Bool) -> Void) {
        let worker = WorkerThread()
        let isPosted = worker.post { completion(cpw_canceller_load()) }
        worker.end()
        // Without a thread the caller loads it.
        if !isPosted { completion(cpw_canceller_load()) }
    }

    /// Whether there is a canceller for streams of this rate.
    package static func supports(rate: Int) -> Bool { cpw_canceller_has_rate(UInt32(clamping: rate)) }

    /// Makes a canceller for streams of this rate, and loads the plugin if necessary.
    /// - Throws: `ENOENT` if it is not installed, `EINVAL` if there is none for the rate, or an
    ///   error of the plugin's.
    package init(rate: Int) throws(PipeWireError) {
        var code: Int32 = 0
        guard let handle = cpw_canceller_create(UInt32(clamping: rate), &code) else {
            throw PipeWireError(code: code, during: .loadingCanceller)
        }
        self.handle = handle
        self.rate = rate
    }

    deinit { cpw_canceller_release(handle) }

    /// Sets the time from the sink to the ear. PipeWire does not report it to the stream of a
    /// sink's monitor.
    package func setOutputLatency(_ latency: Duration) {
        cpw_canceller_set_output_latency(handle, Self.nanoseconds(of: latency))
    }

    /// Returns the nanoseconds of a latency, limited to 0 to 1 second, because PipeWire takes
    /// latencies from other programs.
    package static func nanoseconds(of latency: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(.zero, latency), .seconds(1)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whether the last block had all of the sink's sound.
    package var hasReference: Bool { report.has_reference }

    /// The maximum delay of the delivered sound by the canceller.
    package var latency: Duration {
        Duration(frames: report.waiting, rate: rate) + .nanoseconds(Int64(CPW_CANCELLER_DELAY_NS))
    }

    private var report: cpw_canceller_report {
        var report = cpw_canceller_report()
        cpw_canceller_get_report(handle, &report)
        return report
    }
}

extension Duration {
    fileprivate init(frames: UInt32, rate: Int) {
        self = .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate))
    }
}

/// A stream that delivers the sound of a sink to a canceller. It must be released before the
/// stream that records.
package final class ReferenceStream: GraphStream {
    /// Creates a stream of the default sink's monitor, or of that of `target.object`. The
    /// parameters are those of ``PlaybackStream``.
    /// - Parameter properties: The properties of its node, including the `node.group` of the stream
    ///   that records.
    package init(
        on connection: Connection, canceller: EchoCanceller, properties: [(String, String)],
        receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        try super.init(
            on: connection, exchange: nil, canceller: canceller, rate: canceller.rate, active: true,
            // Not stream.monitor: PipeWire's converter would deliver peaks for a meter, and crash
            // in 0.3.65.
            properties: [("stream.capture.sink", "true")] + properties,
            receive: receive,
            create: { connection, options, _, events, user, code in
                cpw_reference_create(connection, options, events, user, code)
            })
    }
}
