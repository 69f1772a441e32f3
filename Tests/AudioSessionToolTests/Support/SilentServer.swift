import Foundation
import Glibc
import TestSupport

@testable import AudioSessionTool

/// A listener in place of PipeWire that answers no client.
final class SilentServer {
    /// The path of its socket.
    let path: String
    private let scratch: Scratch
    private let socket: Int32

    struct Failure: Error {
        let what: String
        let code = errno
    }

    init() throws {
        scratch = try Scratch()
        path = scratch.name("pipewire-0")
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(what: "the path is too long: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
        }
        guard isBound, listen(socket, 8) == 0 else { throw Failure(what: "no socket at \(path)") }
    }

    deinit { close(socket) }

    /// Waits until a client has connected.
    ///
    /// - Returns: The descriptor of the connection, which the caller closes.
    func client() async throws -> Int32 {
        let client: Int32 = await withCheckedContinuation { continuation in
            DispatchQueue(label: "silent server").async { [socket] in
                let isWaiting = waitForAny(of: [.readable(socket)], milliseconds: 60_000) == [0]
                continuation.resume(returning: isWaiting ? accept(socket, nil, nil) : -1)
            }
        }
        guard client >= 0 else { throw Failure(what: "no client has connected") }
        return client
    }
}
