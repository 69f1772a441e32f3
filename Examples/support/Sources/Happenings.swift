public import AudioSessionPlayback
public import AudioSessions
@preconcurrency import Dispatch
import Glibc

/// All that a program waits for, in the order in which it happens.
public final class Happenings {
    public enum Happening: Sendable {
        case session(AudioSession.Event)
        case player(AudioPlayer.Event)
        case recorder(AudioRecorder.Event)
        /// Somebody pressed Enter.
        case enter
        case timeIsUp
    }

    /// Why there is nothing to wait for any more.
    public enum End: Error, Hashable {
        /// By the signal of this number: Ctrl-C is 2.
        case signal(Int32)
        case pipeWireWentAway
    }

    private enum Item: Sendable {
        case happening(Happening)
        case timer(Int)
        case signal(Int32)
    }

    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private var signals: [any DispatchSourceSignal] = []
    private var observations: [EventObservation] = []
    private var lastTimer = 0

    /// From now on SIGINT, SIGTERM and SIGHUP end the program only by what ``wait(atMost:until:)`` throws.
    public init() {
        (items, continuation) = AsyncStream.makeStream(of: Item.self)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable [continuation] in continuation.yield(.signal(number)) }
            source.resume()
            signals.append(source)
        }
    }

    public func follow(_ player: AudioPlayer) {
        observations = [
            player.observe { [continuation] in continuation.yield(.happening(.player($0))) },
            player.session.observe { [continuation] in continuation.yield(.happening(.session($0))) },
        ]
    }

    public func follow(_ recorder: AudioRecorder) {
        observations = [
            recorder.observe { [continuation] in continuation.yield(.happening(.recorder($0))) },
            recorder.session.observe { [continuation] in continuation.yield(.happening(.session($0))) },
        ]
    }

    /// From a terminal, or from another program by a pipe.
    public func followEnter() {
        // In the background the keys are another program's: reading then fails, instead of stopping this one.
        signal(SIGTTIN, SIG_IGN)
        DispatchQueue(label: "enter").async { [continuation] in
            var bytes = [UInt8](repeating: 0, count: 256)
            while case let count = read(STDIN_FILENO, &bytes, bytes.count), count > 0 {
                for _ in bytes.prefix(count).filter({ $0 == UInt8(ascii: "\n") }) {
                    continuation.yield(.happening(.enter))
                }
            }
        }
    }

    /// Says what happens to the session until what is waited for has happened, or the time is up.
    @discardableResult
    public func wait(
        atMost time: Duration? = nil, until isAwaited: (Happening) -> Bool
    ) async throws(End) -> Happening {
        lastTimer += 1
        let timer = Task { [continuation, lastTimer] in
            guard let time, (try? await Task.sleep(for: time)) != nil else { return }
            continuation.yield(.timer(lastTimer))
        }
        defer { timer.cancel() }
        for await item in items {
            switch item {
            case .signal(let number): throw .signal(number)
            case .timer(let number): if number == lastTimer { return .timeIsUp }
            case .happening(.session(.mediaServicesLost)): throw .pipeWireWentAway
            case .happening(let happening):
                if case .session(let event) = happening, let sentence = event.sentence { say(sentence) }
                if case .recorder(let event) = happening, let sentence = event.sentence { say(sentence) }
                if case .player(.failed(let error)) = happening { say(error.message) }
                if isAwaited(happening) { return happening }
            }
        }
        throw .pipeWireWentAway
    }
}
