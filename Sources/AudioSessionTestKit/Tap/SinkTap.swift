public import AudioSessionCore
import PipeWireGraph

/// Measures the sound that is played to one sink.
///
///     let tap = try await SinkTap(sink: "alsa_output.pci-virtual_0.analog-stereo")
///     …
///     try await tap.waitUntilLoud()
///     let last = await tap.report.lastLoudTime
///
/// The tap links itself to the sink's monitor. Therefore no session manager moves it to another
/// sink, and it does not count as a recording. It measures the sound before the sink's volume is
/// applied.
///
/// Without a sink of that name, the tap measures nothing. It continues when such a sink appears
/// again.
public actor SinkTap {
    /// The measurements since the last reset.
    public struct Report: Sendable, Hashable {
        /// Cycles of the graph in which the tap received the sink's sound.
        public let cycles: UInt64
        /// Frames that the tap received, loud or silent.
        public let frames: UInt64
        /// Frames with a sample above the threshold.
        public let loudFrames: UInt64
        /// Frames that are not loud, between the first loud frame and the last one: the gaps of a
        /// sound.
        public let gapFrames: UInt64
        /// The time at which the first loud frame is played, exact to the sample by the graph's
        /// clock.
        public let firstLoudTime: MonotonicTime?
        /// The time at which the last loud frame is played, with the same precision.
        ///
        /// A frame is counted at the start of its cycle, so the time may be up to a cycle ahead.
        public let lastLoudTime: MonotonicTime?
        /// The highest amplitude of a sample, where 1 is full scale.
        public let peak: Float
    }

    private struct Reading {
        var report: Report
        var isAttached: Bool
    }

    /// The name of the sink, `node.name`.
    public nonisolated let sink: String

    private let executor: LoopExecutor
    private var stream: SinkTapStream?
    private var connection: Connection?
    private var attached: ObjectID?
    private var failure: TestKitError?
    private let expectations = Expectations<Reading>()
    private var clock: LoopTimer?
    /// The number of pending waits. The polling clock runs while it is above 0.
    private var waits = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a tap, and waits until it receives the sink's frames, even silent ones.
    ///
    /// - Parameters:
    ///   - sink: `node.name` of the sink.
    ///   - remote: name or absolute path of the daemon's socket; `nil` uses the environment.
    ///   - threshold: a frame is loud if the absolute value of a sample exceeds this linear
    ///     amplitude. The default is -60 dB.
    ///   - limit: the timeout for the sink to exist and to be measured.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, `cannotStart` without
    ///   resources or a stream, or `daemonUnreachable`.
    // Hides the initializer from the optimizer for the reason given at that of `AudioSession`.
    @_semantics("optimize.no.crossmodule")
    public init(
        sink: String, remote: String? = nil, threshold: Float = 0.001, within limit: Duration = .seconds(30)
    ) async throws(TestKitError) {
        self.sink = sink
        do {
            executor = try LoopExecutor()
        } catch {
            throw TestKitError(
                .cannotStart, "No tap of \(sink) can be created", why: "\(error)",
                remedy: "End threads or close files, or raise the limits (ulimit -u, ulimit -n).")
        }
        try connect(remote: remote, threshold: threshold)
        try await wait(within: limit, until: { $0.report.cycles > 0 }, what: "is not heard")
        reset()
    }

    isolated deinit { disconnect() }

    /// A consistent snapshot of the measurements since the last reset.
    public var report: Report { Report(stream?.report) }

    /// Whether a sink of that name exists and the tap is linked to it.
    public var isAttached: Bool { attached != nil }

    /// Resets the measurements. Sound that was played before the call is no longer reported.
    public func reset() { stream?.reset() }

    /// Waits until a loud frame was received since the last reset.
    ///
    /// The real-time thread only counts. Its counters are polled every 2 ms while a call waits.
    ///
    /// - Parameter limit: the timeout.
    /// - Returns: the measurements.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the tap.
    @discardableResult
    public func waitUntilLoud(within limit: Duration = .seconds(30)) async throws(TestKitError) -> Report {
        try await wait(within: limit, until: { $0.report.loudFrames > 0 }, what: "is silent")
        return report
    }

    /// Waits until a number of frames was received since the last reset, loud or silent.
    ///
    /// - Parameters:
    ///   - frames: the number of frames.
    ///   - limit: the timeout.
    /// - Returns: the measurements.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the tap.
    @discardableResult
    public func waitUntilHeard(frames: UInt64, within limit: Duration = .seconds(30)) async throws(TestKitError)
        -> Report
    {
        try await wait(within: limit, until: { $0.report.frames >= frames }, what: "was not heard for that long")
        return report
    }

    /// Waits until the tap is linked to a sink of that name, or to none.
    ///
    /// - Parameters:
    ///   - wanted: `true` waits for a link; `false` waits for its removal.
    ///   - limit: the timeout.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the tap.
    public func wait(
        untilAttached wanted: Bool, within limit: Duration = .seconds(30)
    ) async throws(TestKitError) {
        try await wait(
            within: limit, until: { $0.isAttached == wanted }, what: wanted ? "did not appear" : "was not removed")
    }

    /// Ends the measurement. The report is empty afterwards.
    public func close() {
        let error = TestKitError(
            .closed, "The tap of \(sink) cannot be used", why: "the tap was closed", remedy: "Create another SinkTap."
        )
        disconnect()
        failure = error
        expectations.fail(error)
    }

    private func connect(remote: String?, threshold: Float) throws(TestKitError) {
        do {
            let options = Connection.Options(remote: remote, applicationName: "audiosession tap")
            let connection = try Connection(
                options, on: executor,
                failed: { [weak self] reason in self?.assumeIsolated { $0.fail(reason, .daemonUnreachable) } })
            stream = try SinkTapStream(sink: sink, threshold: threshold, over: connection) { [weak self] event in
                self?.assumeIsolated { $0.receive(event) }
            }
            self.connection = connection
        } catch {
            throw TestKitError(
                .daemonUnreachable, "No tap of \(sink) can be created",
                why: "\(error), at the socket \(remote ?? "default")",
                remedy: "Start PipeWire, or pass the socket of a running one as 'remote'.")
        }
    }

    private func disconnect() {
        clock = nil
        stream = nil
        connection = nil
        attached = nil
    }

    private func receive(_ event: SinkTapStream.Event) {
        switch event {
        case .attached(let id):
            attached = id
            expectations.evaluate(reading)
        case .failed(let reason): fail(reason, .cannotStart)
        }
    }

    private func fail(_ why: String, _ code: TestKitError.Code) {
        let error = TestKitError(
            code, "\(sink) is not heard any more", why: why,
            remedy: "See that PipeWire runs, then create another SinkTap.")
        failure = error
        expectations.fail(error)
    }

    private var reading: Reading { Reading(report: report, isAttached: attached != nil) }

    private func wait(
        within limit: Duration, until condition: @escaping (Reading) -> Bool, what: String
    ) async throws(TestKitError) {
        let state = { [self] () throws(TestKitError) in
            if let failure { throw failure }
            return reading
        }
        waits += 1
        defer { waits -= 1 }
        if clock == nil { clock = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.tick() } } }
        clock?.arm(after: .milliseconds(2))
        switch await expectations.wait(state, within: limit, on: executor, until: condition) {
        case .met: return
        case .failed(let error): throw error
        case .late:
            throw TestKitError(
                .timedOut, "\(sink) \(what)",
                why: attached == nil ? "there is no sink of that name" : "the report after \(limit) is \(report)",
                remedy: "List the sinks with 'pw-cli ls Node', and the links with 'pw-link -l'.")
        }
    }

    private func tick() {
        expectations.evaluate(reading)
        if waits > 0 { clock?.arm(after: .milliseconds(2)) }
    }
}

extension SinkTap.Report {
    fileprivate init(_ report: SinkTapStream.Report?) {
        cycles = report?.cycles ?? 0
        frames = report?.frames ?? 0
        loudFrames = report?.loudFrames ?? 0
        gapFrames = report?.gapFrames ?? 0
        firstLoudTime = report?.firstLoudTime
        lastLoudTime = report?.lastLoudTime
        peak = report?.peak ?? 0
    }
}
