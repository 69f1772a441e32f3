import AudioSessionCore
package import PipeWireGraph

/// An actor on a thread of its own that reads sound files into a ring, so that a slow disk delays
/// nothing else.
///
/// It receives commands by ``post(_:)`` and reports in ``events``, both in order. It wakes up four
/// times a second while it keeps the ring full, and not at all otherwise.
package actor Decoder {
    package enum Command: Sendable {
        /// Sets the items to decode.
        /// - Parameter first: The file of the first item, if it is open.
        case setQueue([AudioPlayer.Item], first: OpenSoundFile? = nil)
        /// Repeats the only item of the queue this many times; without end if it is negative.
        case setRepetitions(Int)
        /// Clears the ring and fills it from this position on.
        case decode(PlaybackTimeline.Position, FrameRing, generation: UInt64)
        /// Starts or stops keeping the ring full.
        case keepDecoding(Bool)
        /// Closes the file and releases the ring.
        case end
    }

    package nonisolated let events: AsyncStream<DecoderEvent>
    private nonisolated let executor: LoopExecutor
    private nonisolated let commands: AsyncStream<Command>
    private nonisolated let commandQueue: AsyncStream<Command>.Continuation
    private nonisolated let eventQueue: AsyncStream<DecoderEvent>.Continuation
    /// The generation of the last posted ``Command/decode(_:_:generation:)``.
    private nonisolated let lastGeneration = Locked<UInt64>(0)
    private var queue: [AudioPlayer.Item] = []
    private var firstFile: OpenSoundFile?
    private var repetitions = 0
    private var order: Order?
    private let makeLoopTimer: LoopTimer.Make
    private var timer: LoopTimer?
    private var keepsDecoding = false
    private var buffer: [Float] = []

    /// The command that is being executed, with its progress.
    private struct Order {
        let generation: UInt64
        let ring: FrameRing
        let rate: Int
        /// The item that is being decoded, or the next one.
        var item: Int
        /// The number of times that the item was decoded to its end before.
        var repetition: Int
        var file: SoundFile?
        var first: UInt64
        /// The frame of the ring of the last reported mark.
        var marked: UInt64?
        /// Whether this repetition has frames. Otherwise the next one would have none either.
        var hasFrames = false
        /// Whether a file failed, as it would again in the next repetition.
        var hasFailed = false
        var isPrimed = false
        var hasEnded = false
        var needsOtherFormat = false
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The duration of sound that the ring holds, in seconds.
    package static let ringSeconds = 1
    private static let refillInterval = Duration.milliseconds(250)
    private static let chunk = 4096
    /// The limit of frames in one turn, with which a ring is primed at usual rates.
    private static let framesOfOneTurn = UInt64(2 * chunk)
    /// The limit of reads in one turn. A read may end a file and open the next one, or yield a
    /// single frame.
    private static let readsOfOneTurn = 16
    /// The limit of reports of repetitions per second of sound, because a file may be one frame.
    private static let maximumMarkRate = 100

    package init(makeTimer: @escaping LoopTimer.Make = { LoopTimer(on: $0, fired: $1) }) throws(PipeWireError) {
        executor = try LoopExecutor()
        makeLoopTimer = makeTimer
        (events, eventQueue) = AsyncStream.makeStream(of: DecoderEvent.self)
        (commands, commandQueue) = AsyncStream.makeStream(of: Command.self)
    }

    /// Makes a ring for this format; `nil` without memory.
    package static func makeRing(for format: AudioPlayer.Format) -> FrameRing? {
        FrameRing(channels: format.channelCount, capacity: max(chunk, format.sampleRate * ringSeconds))
    }

    /// Adds a command. It can be called on any thread, and commands are executed in order, except
    /// that a later `decode` replaces earlier ones.
    package nonisolated func post(_ command: Command) {
        if case .decode(_, _, let generation) = command { lastGeneration.withLock { $0 = generation } }
        commandQueue.yield(command)
    }

    /// Lets ``run()`` return. It can be called on any thread.
    package nonisolated func finish() { commandQueue.finish() }

    /// Executes commands until ``finish()`` is called.
    package func run() async {
        for await command in commands { execute(command) }
        order = nil
        timer = nil
        eventQueue.finish()
    }

    private func execute(_ command: Command) {
        switch command {
        case .setQueue(let items, let first):
            (queue, firstFile) = (items, first)
            continueAfterEnd()
        case .setRepetitions(let count):
            repetitions = count
            // The player waits for an answer at its end.
            if !continueAfterEnd(), let order, order.hasEnded, !order.needsOtherFormat { end(next: nil) }
        case .decode(let position, let ring, let generation):
            if !isObsolete(generation) { begin(at: position, ring, generation) }
        case .keepDecoding(let keeps):
            keepsDecoding = keeps
            refill()
        case .end:
            order = nil
            keepsDecoding = false
            timer?.disarm()
        }
    }

    // MARK: Filling

    /// Whether a later `decode` is in the queue. Many seeks may be posted while a disk is slow.
    private func isObsolete(_ generation: UInt64) -> Bool { generation < lastGeneration.withLock(\.self) }

    private func begin(at position: PlaybackTimeline.Position, _ ring: FrameRing, _ generation: UInt64) {
        guard queue.indices.contains(position.item) else { return }
        let item = queue[position.item]
        var file: SoundFile?
        // Most seeks stay within the open file.
        if let order, order.item == position.item, order.file?.location == item.location { file = order.file }
        ring.flush()
        ring.setEnded(false)
        order = Order(
            generation: generation, ring: ring, rate: item.format.sampleRate, item: position.item,
            repetition: position.repetition, first: ring.written)
        start(at: position, file)
    }

    /// Fills the ring from this position on, if there is a timer that keeps it full later.
    private func start(at position: PlaybackTimeline.Position, _ open: SoundFile? = nil) {
        guard let order else { return }
        if makeTimer() {
            enter(position, open)
        } else {
            fail(.noTimer, order)
            self.order?.item = queue.count
            end(next: nil)
        }
        refill()
    }

    /// Makes the timer if there is none yet.
    /// - Returns: Whether the system granted it.
    private func makeTimer() -> Bool {
        if timer == nil {
            timer = makeLoopTimer(executor) { [weak self] in self?.assumeIsolated { $0.refill() } }
        }
        return timer != nil
    }

    /// Continues with an item. If it cannot be played, the next read continues with the next one.
    private func enter(_ position: PlaybackTimeline.Position, _ open: SoundFile? = nil) {
        guard let order else { return }
        guard queue.indices.contains(position.item) else {
            self.order?.item = position.item
            return end(next: nil)
        }
        do throws(AudioSessionError) {
            let format = queue[position.item].format
            if format.sampleRate != order.rate || format.channelCount != order.ring.channels {
                return end(next: position.item)
            }
            let file = if let open { open } else { try reopen(position.item) }
            if position.frame > 0 || open != nil { try file.seek(to: position.frame) }
            self.order?.item = position.item
            self.order?.repetition = position.repetition
            self.order?.file = file
            self.order?.hasFrames = position.frame > 0
            mark(position, order)
        } catch {
            fail(error, order)
            self.order?.item = position.item + 1
            self.order?.file = nil
        }
    }

    /// Reports the position that the next frame of the ring has.
    private func mark(_ position: PlaybackTimeline.Position, _ order: Order) {
        let written = order.ring.written
        let isSoon = order.marked.map { written - $0 < UInt64(order.rate / Self.maximumMarkRate) } ?? false
        guard position.repetition == 0 || !isSoon else { return }
        self.order?.marked = written
        eventQueue.yield(.began(generation: order.generation, PlaybackTimeline.Mark(start: written, position)))
    }

    private func fail(_ error: AudioSessionError, _ order: Order) {
        self.order?.hasFailed = true
        eventQueue.yield(.failed(generation: order.generation, error))
    }

    /// Opens an item's file again. Fails if its format is no longer the one for which the ring was
    /// made.
    private func reopen(_ index: Int) throws(AudioSessionError) -> SoundFile {
        let item = queue[index]
        let file =
            if index == 0, let firstFile {
                try SoundFile(firstFile)
            } else {
                try SoundFile(path: item.path, at: item.location)
            }
        guard file.format.isCompatible(with: item.format) else {
            throw AudioSessionError(
                .unreadable, "'\(item.path)' was replaced by a file of another format. Load it again.",
                path: item.path)
        }
        return file
    }

    private func end(next: Int?) {
        guard let order else { return }
        self.order?.file = nil
        self.order?.hasEnded = true
        order.ring.setEnded(true)
        if let next {
            self.order?.needsOtherFormat = true
            eventQueue.yield(.needsOtherFormat(generation: order.generation, frame: order.ring.written, next: next))
        } else {
            eventQueue.yield(
                .ended(
                    generation: order.generation, frame: order.ring.written, itemCount: queue.count,
                    repetitions: repetitions))
        }
    }

    /// Continues after the former end of the queue, if an item was appended or the limit of
    /// repetitions was raised.
    /// - Returns: Whether it does.
    @discardableResult private func continueAfterEnd() -> Bool {
        guard let order, order.hasEnded, !order.needsOtherFormat else { return false }
        let appended = order.item < queue.count ? PlaybackTimeline.Position(item: order.item, frame: 0) : nil
        guard let position = appended ?? repetition(after: order) else { return false }
        self.order?.hasEnded = false
        order.ring.setEnded(false)
        start(at: position)
        return true
    }

    /// Returns where to continue at the end of the queue's only item; `nil` if it is not repeated.
    private func repetition(after order: Order) -> PlaybackTimeline.Position? {
        guard queue.count == 1, order.hasFrames, !order.hasFailed else { return nil }
        guard repetitions < 0 || order.repetition < repetitions else { return nil }
        return PlaybackTimeline.Position(item: 0, frame: 0, repetition: order.repetition + 1)
    }

    /// Fills the ring, in turns between which commands are executed: a file may decode more slowly
    /// than it plays, or be a single frame that repeats, and the ring is then never full.
    private func refill() {
        let start = order?.ring.written ?? 0
        var reads = 0
        while let order, !order.hasEnded {
            if isObsolete(order.generation) { return }
            let room = min(order.ring.writable, Self.chunk)
            guard room > 0 else { break }
            guard reads < Self.readsOfOneTurn, order.ring.written - start < Self.framesOfOneTurn else {
                timer?.arm(after: .zero)
                return
            }
            reads += 1
            copy(room, order)
        }
        guard let order, !order.hasEnded, keepsDecoding || !order.isPrimed else {
            timer?.disarm()
            return
        }
        // The ring is not primed and has no room: the real-time thread was reading while it was
        // cleared.
        timer?.arm(after: order.isPrimed ? Self.refillInterval : .milliseconds(1))
    }

    private func copy(_ frames: Int, _ order: Order) {
        guard let file = order.file else {
            return enter(PlaybackTimeline.Position(item: order.item, frame: 0))
        }
        let channels = order.ring.channels
        if buffer.count < frames * channels { buffer = [Float](repeating: 0, count: Self.chunk * channels) }
        do throws(AudioSessionError) {
            let count = try file.read(frames, into: &buffer)
            guard count > 0 else { return advance(order) }
            _ = order.ring.write(buffer.span.extracting(0..<count * channels))
            self.order?.hasFrames = true
            prime(order)
        } catch {
            fail(error, order)
            skip(order)
        }
    }

    /// Continues after the end of a file: with its repetition, or with the next item.
    private func advance(_ order: Order) {
        guard let position = repetition(after: order) else { return skip(order) }
        enter(position, order.file?.isSeekable == true ? order.file : nil)
    }

    private func skip(_ order: Order) {
        self.order?.file = nil
        self.order?.item = order.item + 1
        enter(PlaybackTimeline.Position(item: order.item + 1, frame: 0))
    }

    /// Reports that the ring is primed at a tenth of a second. The rest arrives before it is
    /// needed.
    private func prime(_ order: Order) {
        guard !order.isPrimed, order.ring.written - order.first >= UInt64(order.rate / 10) else { return }
        self.order?.isPrimed = true
        eventQueue.yield(.primed(generation: order.generation))
    }
}
