import Glibc
import PipeWireGraph

/// A listener in place of a daemon, which reads nothing.
struct DeafServer: ~Copyable {
    private let socket: Int32

    init(at path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
        }
        guard isBound, listen(socket, 1) == 0 else { throw TestServer.Failure(code: errno) }
    }

    deinit { close(socket) }

    /// Disconnects the next client once it has sent something, so that unread data is refused.
    func disconnectClient() throws {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { throw TestServer.Failure(code: errno) }
        var wait = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 10_000) == 1 else { throw TestServer.Failure(code: ETIMEDOUT) }
        close(client)
    }
}
