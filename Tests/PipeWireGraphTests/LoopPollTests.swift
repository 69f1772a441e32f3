import Glibc
import PipeWireGraph
import Testing

@Suite("A loop's polls", .timeLimit(.minutes(10)))
struct LoopPollTests {
    private actor Poller {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var poll: LoopPoll?

        init() throws { executor = try LoopExecutor() }

        func begin(_ file: Int32) { poll = LoopPoll(file: file, on: executor) {} }

        func drop() { poll = nil }
    }

    /// The number of this process's descriptors of the same file.
    private func descriptors(of file: stat) -> Int {
        (0..<Int32(4096)).count { descriptor in
            var other = stat()
            return fstat(descriptor, &other) == 0 && (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino)
        }
    }

    @Test("A poll that is released without its end closes its descriptor")
    func released() async throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        var file = stat()
        #expect(fstat(ends[0], &file) == 0)
        let poller = try Poller()
        await poller.begin(ends[0])
        close(ends[0])
        close(ends[1])
        #expect(descriptors(of: file) == 1)
        await poller.drop()
        #expect(descriptors(of: file) == 0)
    }
}
