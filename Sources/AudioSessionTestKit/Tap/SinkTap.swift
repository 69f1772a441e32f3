public import AudioSessionCore
import PipeWireGraph

/// Hears what is played to one sink, and to no other.
///
///     let tap = try await SinkTap(sink: "alsa_output.pci-virtual_0.analog-stereo")
///     …
///     try await tap.waitUntilLoud()
///     let last = await tap.report.lastLoudTime
///
/// It is linked to the sink's monitor by itself: no session manager moves it to another sink, and it does not count as
/// a recording. It listens before the sink's volume. While there is no sink of that name it hears nothing; when there
/// is one again it goes on.
public actor SinkTap {
    /// What was heard since the last reset.
    public struct Report: Sendable, Hashable {
        /// Cycles of the graph in which the sink was heard.
        public let cycles: UInt64
        /// Frames that were heard, loud or not.
        public let frames: UInt64
        /// Frames with a sample above the threshold.
        public let loudFrames: UInt64
        /// When the first of them is played, and the last, exact to the sample by the graph's clock. A frame is counted
        /// at the start of its cycle, so the last may be up to a cycle ahead.
        public let firstLoudTime: MonotonicTime?
        /// When the last of them is played.
        public let lastLoudTime: MonotonicTime?
        /// The highest amplitude of a sample. Full scale is 1.
        public let peak: Float
    }

    private struct Reading {
        var report: Report
        var isAttached: Bool
    }

    /// The sink's `node.name`.
    public nonisolated let sink: String

    private let executor: LoopExecutor
    private var stream: SinkTapStream?
    private var connection: Connection?
    private var attached: ObjectID?
    private var failure: TestKitError?
    private let expectations = Expectations<Reading>()
    private var clock: LoopTimer?
    /// How many calls wait: for so long the clock runs.
    private var waits = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Begins to listen, and waits until the sink is heard, be it silence.
    ///
    /// - Parameters:
    ///   - sink: its `node.name`.
    ///   - remote: name or absolute path of the daemon's socket; `nil` as the environment says.
    ///   - threshold: a frame is loud if one of its samples is above this, by amount. The default is -60 dB.
    ///   - limit: how long it may take until the sink is there and heard.
    // For the reason given at AudioSession's.
    @_semantics("optimize.no.crossmodule")
    public init(
        sink: String, remote: String? = nil, threshold: Float = 0.001, within limit: Duration = .seconds(10)
    ) async throws(TestKitError) {
        self.sink = sink
        do {
            executor = try LoopExecutor()
        } catch {
            throw TestKitError(
                .cannotStart, "Nothing can listen to \(sink)", why: "\(error)",
                remedy: "Make room for more threads and files.")
        }
        try connect(remote: remote, threshold: threshold)
        try await wait(within: limit, until: { $0.report.cycles > 0 }, what: "is not heard")
        reset()
    }

    isolated deinit { disconnect() }

    /// What was heard since the last reset, all from one moment.
    public var report: Report { Report(stream?.report) }

    /// Whether there is a sink of that name, and the tap is linked to it.
    public var isAttached: Bool { attached != nil }

    /// Begins counting anew: of what was played before the call nothing is reported any more.
    public func reset() { stream?.reset() }

    /// Waits until a loud frame was heard since the last reset.
    ///
    /// The real-time thread only counts; its figures are looked at every 2 ms while somebody waits.
    @discardableResult
    public func waitUntilLoud(within limit: Duration = .seconds(10)) async throws(TestKitError) -> Report {
        try await wait(within: limit, until: { $0.report.loudFrames > 0 }, what: "is silent")
        return report
    }

    /// Waits until this much was heard since the last reset, loud or not.
    @discardableResult
    public func waitUntilHeard(frames: UInt64, within limit: Duration = .seconds(10)) async throws(TestKitError)
        -> Report
    {
        try await wait(within: limit, until: { $0.report.frames >= frames }, what: "was not heard for that long")
        return report
    }

    /// Waits until the tap is linked to a sink of that name, or to none.
    public func wait(
        untilAttached wanted: Bool, within limit: Duration = .seconds(10)
    ) async throws(TestKitError) {
        try await wait(
            within: limit, until: { $0.isAttached == wanted }, what: wanted ? "did not come" : "did not go")
    }

    /// Ends listening. The report is empty afterwards.
    public func close() {
        let error = TestKitError(
            .closed, "Nothing listens to \(sink)", why: "the tap was closed", remedy: "Make another one.")
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
            stream = try SinkTapStream(
                sink: sink, threshold: threshold, over: connection,
                attached: { [weak self] id in self?.assumeIsolated { $0.attach(id) } },
                failed: { [weak self] reason in self?.assumeIsolated { $0.fail(reason, .cannotStart) } })
            self.connection = connection
        } catch {
            throw TestKitError(
                .daemonUnreachable, "Nothing can listen to \(sink)", why: "\(error)",
                remedy: "Start PipeWire, or name the socket of one that runs (\(remote ?? "default")).")
        }
    }

    private func disconnect() {
        clock = nil
        stream = nil
        connection = nil
        attached = nil
    }

    private func attach(_ id: ObjectID?) {
        attached = id
        expectations.evaluate(reading)
    }

    private func fail(_ why: String, _ code: TestKitError.Code) {
        let error = TestKitError(
            code, "\(sink) is not heard any more", why: why, remedy: "See that PipeWire runs, and make another tap.")
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
                why: attached == nil ? "there is no sink of that name" : "\(report) is all within \(limit)",
                remedy: "See which sinks there are (pw-cli ls Node), and where the sound goes (pw-link -l).")
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
        firstLoudTime = report?.firstLoudTime
        lastLoudTime = report?.lastLoudTime
        peak = report?.peak ?? 0
    }
}
