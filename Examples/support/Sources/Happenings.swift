public import AudioSessionPlayback
public import AudioSessions
@preconcurrency import Dispatch
import Glibc

/// All events that a program waits for, in their order.
public final class Happenings {
    public enum Happening: Sendable {
        case session(AudioSession.Event)
        case player(AudioPlayer.Event)
        case output(AudioOutput.Event)
        case recorder(AudioRecorder.Event)
        case input(AudioInput.Event)
        /// The available outputs or inputs have changed.
        case portsChanged
        /// The user pressed Enter.
        case enter
        /// The user pressed a key that is a character.
        case key(Character)
        /// The program at the other end of a connection has come, or has left.
        case peer(isThere: Bool)
        case timeIsUp
    }

    /// The reason why no more events follow.
    public enum End: Error, Hashable {
        /// The signal of this number ended it: Ctrl-C is 2.
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
    private var keyMode: KeyMode?
    private var lastTimer = 0

    /// From now on SIGINT, SIGTERM and SIGHUP end the program only by the error of
    /// ``wait(atMost:until:)``.
    public init() {
        (items, continuation) = AsyncStream.makeStream(of: Item.self)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            observe(number) { [continuation] in continuation.yield(.signal(number)) }
        }
    }

    private func observe(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
        signals.append(source)
    }

    public func follow(_ player: AudioPlayer) {
        follow(onlyEventsOf: player)
        follow(player.session)
    }

    public func follow(_ output: AudioOutput) {
        observations.append(output.observe { [continuation] in continuation.yield(.happening(.output($0))) })
        follow(output.session)
    }

    public func follow(_ recorder: AudioRecorder) {
        observations.append(recorder.observe { [continuation] in continuation.yield(.happening(.recorder($0))) })
        follow(recorder.session)
    }

    /// An output of the same session may be followed as well.
    public func follow(onlyEventsOf input: AudioInput) {
        observations.append(input.observe { [continuation] in continuation.yield(.happening(.input($0))) })
    }

    public func follow(portsOf manager: AudioSessionManager) {
        observations.append(
            manager.observe { [continuation] event in
                if case .availablePortsChanged = event { continuation.yield(.happening(.portsChanged)) }
            })
    }

    /// Several players may share a session.
    public func follow(onlyEventsOf player: AudioPlayer) {
        observations.append(player.observe { [continuation] in continuation.yield(.happening(.player($0))) })
    }

    public func follow(_ session: AudioSession) {
        observations.append(session.observe { [continuation] in continuation.yield(.happening(.session($0))) })
    }

    /// Follows events of the program's own, until the sequence ends.
    public func follow<Element: Sendable>(
        _ elements: AsyncStream<Element>, _ happening: @escaping @Sendable (Element) -> Happening
    ) {
        Task { [continuation] in for await element in elements { continuation.yield(.happening(happening(element))) }
        }
    }

    /// Reads from a terminal, or from another program through a pipe.
    public func followEnter() {
        follow { $0 == UInt8(ascii: "\n") ? .enter : nil }
    }

    /// Delivers each key at once: until this object is released, a terminal collects no lines and
    /// has no echo.
    public func followKeys() {
        let mode = KeyMode()
        keyMode = mode
        // A shell changes the terminal of a program that control-Z stopped.
        observe(SIGCONT) { [weak mode] in mode?.begin() }
        follow(in: mode) { (0x21...0x7E).contains($0) ? .key(Character(UnicodeScalar($0))) : nil }
    }

    private func follow(in mode: KeyMode? = nil, _ happening: @escaping @Sendable (UInt8) -> Happening?) {
        // In the background the keys are for another program: reading then fails, instead of
        // stopping this one.
        signal(SIGTTIN, SIG_IGN)
        DispatchQueue(label: "keys").async { [continuation, weak mode] in
            var bytes = [UInt8](repeating: 0, count: 256)
            while true {
                // No event reports that the shell has brought the program to the foreground.
                while !KeyMode.isInForeground { usleep(200_000) }
                mode?.begin()
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EIO, !KeyMode.isInForeground { continue }
                guard count > 0 else { return }
                for happening in bytes.prefix(count).compactMap(happening) {
                    continuation.yield(.happening(happening))
                }
            }
        }
    }

    /// Prints the session's events until the awaited one has happened, or the time is over.
    @discardableResult
    public func wait(
        atMost time: Duration? = nil, until isAwaited: (Happening) -> Bool
    ) async throws(End) -> Happening {
        lastTimer += 1
        // The deadline has passed.
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
                if case .input(let event) = happening, let sentence = event.inputSentence { say(sentence) }
                if case .player(.failed(let error, _)) = happening { say(error.message) }
                if case .output(let event) = happening, let sentence = event.sentence { say(sentence) }
                if isAwaited(happening) { return happening }
            }
        }
        throw .pipeWireWentAway
    }
}
