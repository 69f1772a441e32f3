@preconcurrency import Dispatch
import Glibc
import Synchronization

/// A connection of two programs by a local socket, in packets of mono sound. Nothing here concerns
/// audio sessions.
///
/// The program that finds no other one at the path waits there.
final class Line: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ what: String, _ path: String) {
            description = "'\(path)' cannot be used: \(what): \(String(cString: strerror(errno)))."
        }
    }

    /// A socket's address has 108 bytes for the path and its end.
    static let longestPath = 107
    /// The most samples in a packet; longer ones are dropped.
    private static let mostSamples = 16_384

    /// Whether it waits for another program.
    let isWaiting: Bool
    /// `true` when the other program has come, and `false` when it has left.
    let connections: AsyncStream<Bool>
    /// The samples of each packet. A slow reader loses the oldest.
    let received: AsyncStream<[Float]>
    private let connected: AsyncStream<Bool>.Continuation
    private let arrived: AsyncStream<[Float]>.Continuation
    private let path: String
    private let queue = DispatchQueue(label: "line")
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The connection; -1 without one.
        var socket: Int32 = -1
        var sources: [any DispatchSourceRead] = []
        /// Whether the socket at the path is this program's.
        var isOwner = false
    }

    init(path: String) throws(Failure) {
        self.path = path
        (connections, connected) = AsyncStream.makeStream()
        (received, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        let new = Self.makeSocket()
        guard new >= 0 else { throw Failure("no socket", path) }
        if Self.withAddress(path, { connect(new, $0, $1) }) == 0 {
            isWaiting = false
            begin(new)
            return
        }
        // A socket whose program was killed refuses connections.
        if errno == ECONNREFUSED, Self.isSocket(path) { unlink(path) }
        // Only this user may connect.
        let mask = umask(0o077)
        let isBound = Self.withAddress(path, { bind(new, $0, $1) }) == 0 && listen(new, 1) == 0
        umask(mask)
        guard isBound else {
            defer { Glibc.close(new) }
            throw Failure("no voice-chat waits there, and none can", path)
        }
        isWaiting = true
        state.withLock { $0.isOwner = true }
        read(from: new) { [weak self] in self?.acceptFirst(from: new) }
    }

    /// Sends a packet. A peer that does not read loses it. Empty ones are not sent, because they
    /// would look like the end of the connection.
    func send(_ samples: [Float]) {
        state.withLock { state in
            guard state.socket >= 0, !samples.isEmpty else { return }
            samples.withUnsafeBytes {
                _ = Glibc.send(
                    state.socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
        }
    }

    func close() {
        hangUp()
        if state.withLock({ $0.isOwner }) { unlink(path) }
        connected.finish()
        arrived.finish()
    }

    private func hangUp() {
        state.withLock { state in
            for source in state.sources { source.cancel() }
            (state.sources, state.socket) = ([], -1)
        }
    }

    // MARK: Events

    /// Takes the first program; later ones are refused.
    private func acceptFirst(from listener: Int32) {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { return }
        guard state.withLock({ $0.socket < 0 }) else {
            Glibc.close(peer)
            return
        }
        begin(peer)
    }

    private func begin(_ socket: Int32) {
        state.withLock { $0.socket = socket }
        read(from: socket) { [weak self] in self?.receive(from: socket) }
        connected.yield(true)
    }

    private func receive(from socket: Int32) {
        var samples = [Float](repeating: 0, count: Self.mostSamples + 1)
        let count = samples.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        let size = MemoryLayout<Float>.size
        switch count {
        case 1...Self.mostSamples * size where count % size == 0:
            // Any program of this user can be the other one.
            arrived.yield(samples.prefix(count / size).map { $0.isFinite ? max(-1, min(1, $0)) : 0 })
        case 1...: break
        case -1 where errno == EAGAIN || errno == EINTR: break
        default:
            hangUp()
            connected.yield(false)
        }
    }

    private func read(from socket: Int32, _ handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { Glibc.close(socket) }
        state.withLock { $0.sources.append(source) }
        source.resume()
    }

    // MARK: Sockets

    /// Each packet is received whole, and not at all if it does not fit.
    private static func makeSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }

    /// Other files are refused as well, and have to stay.
    private static func isSocket(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(longestPath)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
