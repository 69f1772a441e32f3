import AudioSessionCore
import CDesktopBus
import Glibc
package import PipeWireGraph

/// A connection to the user's session bus or to the system bus, driven by a loop of PipeWire.
///
/// The object must be made, used and released on the loop's thread. No call blocks, except that
/// `init` waits until the host name of a `tcp:` address is resolved.
package final class DesktopBus {
    package enum Signal: Sendable, Hashable {
        /// The owner of a media player's name changed.
        case ownerChanged(name: String, from: String?, to: String?)
        /// The playback status of a player changed; `nil` if the new status has to be queried.
        case statusChanged(owner: String, status: String?)
        /// The computer is about to sleep, or woke up.
        case sleepChanged(begins: Bool)
    }

    /// The answer to a call. An answer without a value is the number 0. An error is its D-Bus name.
    package enum Reply: Sendable, Hashable {
        case text(String)
        case number(UInt32)
        case texts([String])
        case file(OpenFile)
        case error(String)
    }

    private final class Handler {
        var receive: ((Signal) -> Void)?
        var replies: [UInt64: (Reply) -> Void] = [:]

        func reply(_ call: UInt64, _ reply: cdb_reply) { replies.removeValue(forKey: call)?(Reply(reply)) }
    }

    package let address: String
    let bus: OpaquePointer
    private let poll: LoopPoll
    private let timer: LoopTimer
    private let context: Unmanaged<Handler>
    private let stir: Stir
    private var lastCall: UInt64 = 0
    /// The calls that sd-bus refused, each with its errno. They are answered by ``process()``.
    private var refusedCalls: [(call: UInt64, code: Int32)] = []

    /// The context of the loop's callbacks, which briefly outlives the bus.
    private final class Stir {
        weak var bus: DesktopBus?
        var failed: ((DesktopBusError) -> Void)?
    }

    /// Begins to connect to a bus. Calls are queued until it is connected.
    ///
    /// - Parameters:
    ///   - address: The D-Bus address.
    ///   - executor: The executor of the loop.
    ///   - receive: Called with each signal.
    ///   - failed: Called once, when the bus is lost or the connection cannot be made.
    /// - Throws: An error if the address cannot be opened or the process cannot open another file.
    package init(
        address: String, on executor: LoopExecutor, receive: @escaping (Signal) -> Void,
        failed: @escaping (DesktopBusError) -> Void
    ) throws(DesktopBusError) {
        let handler = Handler()
        handler.receive = receive
        let context = Unmanaged.passRetained(handler)
        var events = cdb_bus_events(
            replied: { DesktopBus.handler($0).reply($1, $2.pointee) },
            owner_changed: { user, name, from, to in
                DesktopBus.handler(user).receive?(
                    .ownerChanged(name: String(cString: name), from: String(from), to: String(to)))
            },
            status_changed: { user, sender, status in
                DesktopBus.handler(user).receive?(
                    .statusChanged(owner: String(cString: sender), status: String(status)))
            },
            sleep_changed: { user, begins in DesktopBus.handler(user).receive?(.sleepChanged(begins: begins)) })
        var code: Int32 = 0
        guard let bus = cdb_bus_open(address, &events, context.toOpaque(), &code) else {
            context.release()
            throw DesktopBusError(code: code, "The bus at \(address) cannot be reached")
        }
        let stir = Stir()
        stir.failed = failed
        guard let poll = LoopPoll(file: cdb_bus_file(bus), on: executor, ready: { stir.bus?.process() }),
            let timer = LoopTimer(on: executor, fired: { stir.bus?.process() })
        else {
            cdb_bus_close(bus)
            context.release()
            throw DesktopBusError("No file is left for the bus")
        }
        self.address = address
        self.bus = bus
        self.poll = poll
        self.timer = timer
        self.context = context
        self.stir = stir
        stir.bus = self
        settle()
    }

    /// Clears the handlers at once, and closes the bus when the loop has ended its poll. The rest
    /// stays until then, because one of the handlers may be what releases this object.
    deinit {
        stir.failed = nil
        let handler = context.takeUnretainedValue()
        handler.receive = nil
        handler.replies = [:]
        timer.disarm()
        poll.end { [bus, context, timer] in
            cdb_bus_close(bus)
            context.release()
            withExtendedLifetime(timer) {}
        }
    }

    private static func handler(_ user: UnsafeMutableRawPointer?) -> Handler {
        Unmanaged<Handler>.fromOpaque(user!).takeUnretainedValue()
    }

    /// The unique name of this connection on the bus. It is empty until the first answer arrives.
    package var name: String { String(cString: cdb_bus_name(bus)) }

    /// Calls a method. The answer arrives later, or never if the bus is lost.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ signature: String = "",
        _ first: String = "", _ second: String = "", _ number: UInt32 = 0, reply: @escaping (Reply) -> Void
    ) {
        send(reply) { call in
            cdb_bus_call(bus, call, destination, path, interface, member, signature, first, second, number)
        }
    }

    /// Makes a call. A call that sd-bus refuses is answered later as well, because a reply that
    /// makes the next call would otherwise recurse. A lost bus answers no call.
    func send(_ reply: @escaping (Reply) -> Void, _ call: (UInt64) -> Int32) {
        guard stir.bus != nil else { return }
        lastCall += 1
        let code = call(lastCall)
        context.takeUnretainedValue().replies[lastCall] = reply
        if code < 0 { refusedCalls.append((lastCall, -code)) }
        settle()
    }

    /// Subscribes to the signals of media players, or unsubscribes from them.
    package func watchPlayers(_ isWatching: Bool) {
        if isWatching { _ = cdb_bus_watch_players(bus) } else { cdb_bus_unwatch_players(bus) }
        settle()
    }

    private func process() {
        answerRefusedCalls()
        let code = cdb_bus_process(bus)
        if code < 0 {
            let failed = stir.failed
            stir.failed = nil
            stir.bus = nil
            timer.disarm()
            refusedCalls = []
            context.takeUnretainedValue().replies = [:]
            failed?(DesktopBusError(code: code, "The bus at \(address) is lost"))
        } else if code > 0 {
            timer.arm(after: .zero)
        } else {
            settle()
        }
    }

    private func answerRefusedCalls() {
        let refused = refusedCalls
        refusedCalls = []
        for (call, code) in refused {
            context.takeUnretainedValue().replies.removeValue(forKey: call)?(.error("errno \(code)"))
        }
    }

    /// Updates the events and the deadline for which the loop waits, which each call to sd-bus may
    /// change.
    func settle() {
        guard stir.bus != nil else { return }
        guard refusedCalls.isEmpty else { return timer.arm(after: .zero) }
        poll.setWriting(cdb_bus_wants_to_write(bus))
        let deadline = cdb_bus_deadline(bus)
        guard deadline < UInt64.max / 1000 else { return timer.disarm() }
        timer.arm(after: MonotonicTime(nanoseconds: deadline * 1000).since(.now))
    }
}

extension DesktopBus.Reply {
    fileprivate init(_ reply: cdb_reply) {
        if reply.error != 0 {
            self = .error(String(reply.text) ?? "errno \(reply.error)")
        } else if reply.file >= 0 {
            self = OpenFile(copying: reply.file).map { .file($0) } ?? .error("errno \(EMFILE)")
        } else if reply.count > 0, let texts = reply.texts {
            self = .texts((0..<Int(reply.count)).compactMap { String(texts[$0]) })
        } else if let text = String(reply.text) {
            self = .text(text)
        } else {
            self = .number(reply.number)
        }
    }
}

extension String {
    init?(_ text: UnsafePointer<CChar>?) {
        guard let text else { return nil }
        self = String(cString: text)
    }
}
