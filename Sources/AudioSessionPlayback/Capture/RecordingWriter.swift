package import AudioSessions
package import PipeWireGraph

/// An actor on a thread of its own that writes a ring to a file, so that a slow disk delays nothing
/// else.
///
/// It receives commands by ``post(_:)`` and reports in ``events``, both in order. It wakes up ten
/// times a second during a recording, and not at all otherwise. The file is complete twice a
/// second.
package actor RecordingWriter {
    package enum Command: Sendable {
        /// Writes the frames of this ring to the file opened last, which replaces an existing one,
        /// or appends them to the recording with this number if that is in progress.
        /// - Parameter stream: The number of the stream that fills the ring.
        case begin(FrameRing, recording: UInt64, stream: UInt64)
        /// Writes what is left, completes the file, and waits for more.
        case pause
        /// Writes what is left, and closes the file.
        case finish(recording: UInt64)
        /// Answers with the failure of the recording in progress.
        case answer(CheckedContinuation<AudioSessionError?, Never>)
    }

    package nonisolated let events: AsyncStream<WriterEvent>
    private nonisolated let executor: LoopExecutor
    private nonisolated let commands: AsyncStream<Command>
    private nonisolated let commandQueue: AsyncStream<Command>.Continuation
    private nonisolated let eventQueue: AsyncStream<WriterEvent>.Continuation
    private nonisolated let listeners: EventBroadcaster<AudioRecorder.Buffer>
    private let format: AudioRecorder.Format
    private let makeLoopTimer: LoopTimer.Make
    private var timer: LoopTimer?
    private var opened: RecordingFile?
    private var order: Order?
    private var buffer: [Float]

    private struct Order {
        let recording: UInt64
        var stream: UInt64
        var ring: FrameRing
        var file: RecordingFile?
        var frames: Int64 = 0
        var ticks = 0
        /// The number of frames since the last one that was not zero.
        var zeros: Int64 = 0
        var failure: AudioSessionError?
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The duration of sound that the ring holds while a disk is slow, in seconds.
    private static let ringSeconds = 5
    private static let interval = Duration.milliseconds(100)
    private static let checkpointTicks = 5
    private static let chunk = 4096

    package init(
        _ format: AudioRecorder.Format, listeners: EventBroadcaster<AudioRecorder.Buffer>,
        makeTimer: @escaping LoopTimer.Make = { LoopTimer(on: $0, fired: $1) }
    ) throws(PipeWireError) {
        executor = try LoopExecutor()
        self.format = format
        makeLoopTimer = makeTimer
        self.listeners = listeners
        buffer = [Float](
            repeating: 0, count: Self.chunk * max(1, min(format.channelCount, FrameRing.maximumChannels)))
        (events, eventQueue) = AsyncStream.makeStream(of: WriterEvent.self)
        (commands, commandQueue) = AsyncStream.makeStream(of: Command.self)
    }

    /// Makes a ring for this format; `nil` without memory.
    package static func makeRing(for format: AudioRecorder.Format) -> FrameRing? {
        FrameRing(
            channels: format.channelCount, capacity: max(chunk, format.sampleRate * ringSeconds),
            isForCapture: true)
    }

    /// Adds a command. It can be called on any thread, and commands are executed in order.
    package nonisolated func post(_ command: Command) { commandQueue.yield(command) }

    /// Waits until the commands that were posted before are executed.
    /// - Returns: The failure of the recording in progress.
    package nonisolated func waitForCommands() async -> AudioSessionError? {
        await withCheckedContinuation { waiter in
            if case .terminated = commandQueue.yield(.answer(waiter)) { waiter.resume(returning: nil) }
        }
    }

    /// Lets ``run()`` return after everything is written. It can be called on any thread.
    package nonisolated func finish() { commandQueue.finish() }

    /// Executes commands until ``finish()`` is called.
    package func run() async {
        for await command in commands { execute(command) }
        if let order { end(order.recording) }
        opened = nil
        timer = nil
        eventQueue.finish()
    }

    /// Checks whether a file can be created, without an effect. A disk may take seconds to answer.
    package func check(
        _ path: String, _ type: AudioRecorder.FileType, _ configuration: AudioRecorder.Configuration
    ) throws(AudioSessionError) {
        try RecordingFile.check(path, type, format, followsSymbolicLinks: configuration.followsSymbolicLinks)
    }

    /// Creates the file of the next recording.
    package func open(
        _ path: String, _ type: AudioRecorder.FileType, _ configuration: AudioRecorder.Configuration
    ) throws(AudioSessionError) {
        opened = nil
        opened = try RecordingFile(
            path: path, type: type, format: format, permissions: configuration.filePermissions,
            followsSymbolicLinks: configuration.followsSymbolicLinks)
    }

    /// Discards the opened file, because the recording does not begin. An existing file is
    /// unchanged.
    package func discard() { opened = nil }

    private func execute(_ command: Command) {
        switch command {
        case .begin(let ring, let recording, let stream) where order?.recording == recording:
            drain()
            order?.stream = stream
            order?.ring = ring
            order?.zeros = 0
            timer?.arm(after: Self.interval)
        case .begin(let ring, let recording, let stream): begin(ring, recording, stream)
        case .pause:
            timer?.disarm()
            drain()
            order?.file?.checkpoint()
        case .finish(let recording): end(recording)
        case .answer(let waiter): waiter.resume(returning: order?.failure)
        }
    }

    private func begin(_ ring: FrameRing, _ recording: UInt64, _ stream: UInt64) {
        var order = Order(recording: recording, stream: stream, ring: ring, file: opened)
        opened = nil
        do throws(AudioSessionError) {
            guard makeTimer() else { throw .noTimer }
            try order.file?.moveIntoPlace()
        } catch {
            order.file = nil
            fail(error, &order)
        }
        self.order = order
        timer?.arm(after: Self.interval)
    }

    /// Makes the timer if there is none yet.
    /// - Returns: Whether the system granted it.
    private func makeTimer() -> Bool {
        if timer == nil { timer = makeLoopTimer(executor) { [weak self] in self?.assumeIsolated { $0.tick() } } }
        return timer != nil
    }

    private func end(_ recording: UInt64) {
        guard order?.recording == recording else {
            // It has no stream, or there was no memory for its ring.
            opened = nil
            let result = AudioRecorder.Recording(path: nil, frameCount: 0, format: format)
            eventQueue.yield(.finished(recording, result))
            return
        }
        timer?.disarm()
        drain()
        guard var order else { return }
        do throws(AudioSessionError) {
            try order.file?.close()
        } catch {
            fail(error, &order)
        }
        self.order = nil
        let result = AudioRecorder.Recording(
            path: order.file?.path, location: order.file?.location, frameCount: order.frames, format: format)
        eventQueue.yield(.finished(recording, result))
    }

    private func tick() {
        drain()
        guard order != nil else { return }
        order?.ticks += 1
        if let order, order.ticks % Self.checkpointTicks == 0 { order.file?.checkpoint() }
        timer?.arm(after: Self.interval)
    }

    /// Writes the frames that the ring holds now. Later frames are written at the next wake-up.
    private func drain() {
        guard let ring = order?.ring else { return }
        let end = ring.written
        while ring.read < end {
            let count = takeChunk(ring)
            guard count > 0 else { return }
            keep(count, ring.channels)
        }
    }

    private func takeChunk(_ ring: FrameRing) -> Int {
        var span = buffer.mutableSpan
        return ring.take(into: &span)
    }

    private func keep(_ frames: Int, _ channels: Int) {
        guard var order else { return }
        let count = frames * channels
        var isZero = true
        for index in 0..<count {
            // A NaN or infinity would remain in everything that is computed from it.
            if !buffer[index].isFinite { buffer[index] = 0 }
            if buffer[index] != 0 { isZero = false }
        }
        note(frames, isZero: isZero, &order)
        listeners.send(
            AudioRecorder.Buffer(
                samples: Array(buffer[0..<count]), channelCount: channels, sampleRate: format.sampleRate,
                firstFrame: order.frames))
        write(frames, &order)
        self.order = order
    }

    private func note(_ frames: Int, isZero: Bool, _ order: inout Order) {
        let limit = RecorderStateMachine.Limits.silence.components.seconds * Int64(format.sampleRate)
        let before = order.zeros
        order.zeros = isZero ? before + Int64(frames) : 0
        if before < limit, order.zeros >= limit { eventQueue.yield(.zeros(stream: order.stream, true)) }
        if before >= limit, !isZero { eventQueue.yield(.zeros(stream: order.stream, false)) }
    }

    private func write(_ frames: Int, _ order: inout Order) {
        guard order.failure == nil else { return }
        do throws(AudioSessionError) {
            try order.file?.write(frames, of: buffer)
            order.frames += Int64(frames)
        } catch {
            fail(error, &order)
        }
    }

    /// Reports a failure, but only the first one of a recording.
    private func fail(_ error: AudioSessionError, _ order: inout Order) {
        order.frames = order.file?.frameCount ?? order.frames
        guard order.failure == nil else { return }
        order.failure = error
        eventQueue.yield(.failed(order.recording, error))
    }
}
