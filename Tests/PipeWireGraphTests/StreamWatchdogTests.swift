import AudioSessionCore
import AudioSessionTestKit
import CPipeWireShim
import CPipeWireTestServer
import Glibc
import PipeWireGraph
import TestSupport
import Testing

/// The watchdog's work at the end of its program. Here the connection is closed instead.
@Suite("The watchdog of ducked streams", .timeLimit(.minutes(10)))
struct StreamWatchdogTests {
    @Test("It restores the last volumes that it received exactly", arguments: [true, false])
    func restores(isMuted: Bool) async throws {
        let scene = try await Scene()
        try await scene.runWatchdog(with: [
            scene.order([0.3, 0.3]), scene.order([1, 1 / 3], isMuted: isMuted),
        ])
        #expect(scene.written == .init(volumes: [1, 1 / 3], isMuted: isMuted))
    }

    /// A program beside it, the properties of its client, and whether that one restores the stream.
    @Test(
        "It leaves the streams to other programs that duck them, if these are permitted to",
        arguments: [
            ("1;ducks=200", [:], true), ("1;ducks=1000", [:], false),
            ("1;ducks=200", ["pipewire.access": "flatpak"], false),
            ("1;ducks=200", ["pipewire.access": "default", "pipewire.sec.socket": "pipewire-0"], true),
            ("1;ducks=200", ["pipewire.access": "default", "pipewire.sec.socket": "pipewire-fd-31"], false),
            ("1;mutes=4242", [:], true), ("1;mutes=424", [:], false),
            ("1;mutes=4242", ["pipewire.access": "flatpak"], false),
        ] as [(String, [String: String], Bool)], Announcement.Carrier.allCases)
    func others(
        _ mark: (payload: String, client: [String: String], isLeftToThem: Bool), carrier: Announcement.Carrier
    ) async throws {
        let scene = try await Scene()
        let properties = mark.client.map { RawProperty($0.key, $0.value) }
        let client = properties.isEmpty ? nil : scene.server.add(CPW_OBJECT_CLIENT, registry: properties)
        scene.mark("audio-session-ducking.2", mark.payload, of: client, carrier)
        try await scene.runWatchdog(with: [scene.order([1])])
        #expect(scene.written.volumes == (mark.isLeftToThem ? [] : [1]))
    }

    @Test("It does not confuse another stream with the one that had the id before")
    func another() async throws {
        let scene = try await Scene()
        try await scene.runWatchdog(with: [scene.order([1], serial: scene.serial + "0")])
        #expect(scene.written.volumes == [])
        #expect(scene.stream.boundCount == 0)
    }

    @Test("It waits until PipeWire has noticed the end of the program, and writes nothing if it does not")
    func waits() async throws {
        let scene = try await Scene()
        scene.mark(Scene.mark, "1;ducks=200")
        try await scene.runWatchdog(with: [scene.order([1])])
        #expect(scene.written.volumes == [])
        let next = try await Scene()
        let late = next.mark(Scene.mark, "1;ducks=200")
        try await next.runWatchdog(with: [next.order([1])]) {
            #expect(next.written.volumes == [])
            late.remove()
        }
        #expect(next.written.volumes == [1])
    }

    @Test("It waits until all marks of the program are removed")
    func waitsForAllMarks() async throws {
        let scene = try await Scene()
        let marks = ["1;ducks=1000", "1;mutes=4242"].map { scene.mark(Scene.mark, $0) }
        marks[0].remove()
        try await scene.runWatchdog(with: [scene.order([1])]) {
            #expect(scene.written.volumes == [])
            marks[1].remove()
        }
        #expect(scene.written.volumes == [1])
    }

    @Test("Malformed lines do not hide a valid one")
    func nonsense() async throws {
        let scene = try await Scene()
        var code: Int32 = 0
        let made = cpw_watchdog_create(scene.server.path, &code)
        let handle = try #require(made)
        let id = scene.stream.id
        let lines = [
            Scene.mark, "nonsense", "", "99999999999999999999 1 0 3f800000", "\(id)", "\(id) ",
            "\(id) \(scene.serial)",
            "\(id) \(scene.serial) 1 3f000000",
        ]
        let order = lines.joined(separator: "\n")
        #expect(cpw_watchdog_set_order(handle, order, 0) == -EINVAL)
        #expect(cpw_watchdog_set_order(handle, order, 1 << 20) == -EMSGSIZE)
        #expect(cpw_watchdog_set_order(handle, order, order.utf8.count) >= 0)
        cpw_watchdog_destroy(handle)
        try await scene.watchdogHasEnded()
        #expect(scene.written == .init(volumes: [0.5], isMuted: true))
    }

    /// PipeWire loads plugins, and the C library loads libraries and looks up users, under locks
    /// that a copied process would wait for until it is ended.
    @Test("It works also if another thread loads plugins and libraries and looks up users when it is created")
    func lock() async throws {
        // A lock is held mostly, not always: if it were never free, no copy would succeed.
        let loading = Task.detached(executorPreference: OwnThread()) {
            while !Task.isCancelled {
                for _ in 1...10 {
                    Self.loadPlugins()
                    Self.loadLibrary()
                    for _ in 1...10 { _ = getpwuid(getuid()) }
                }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { loading.cancel() }
        for _ in 1...30 {
            let scene = try await Scene()
            try await scene.runWatchdog(with: [scene.order([1])])
            #expect(scene.written.volumes == [1])
        }
    }

    /// Loads a part of the C library that no program links, and unloads it.
    private static func loadLibrary() {
        let library = dlopen("libanl.so.1", RTLD_NOW)
        #expect(library != nil)
        if let library { dlclose(library) }
    }

    /// Creates a loop, which loads plugins, and waits for its end.
    private static func loadPlugins() {
        let end = PipeWireGraph.Semaphore()
        var code: Int32 = 0
        let loop = cpw_loop_create(
            false, false, { _ in },
            { context in Unmanaged<PipeWireGraph.Semaphore>.fromOpaque(context).takeUnretainedValue().signal() },
            Unmanaged.passUnretained(end).toOpaque(), &code)
        guard let loop else { return }
        cpw_loop_release(loop)
        end.wait()
    }

    // MARK: The scene

    /// A daemon with a stream, and a client that receives the watchdog's connection and its end.
    private struct Scene {
        static let mark = "audio-session-ducking.1"
        let server: TestServer
        let stream: TestObject
        let observer: GraphClient
        /// PipeWire's number of the stream, which no other object gets.
        let serial = "4242"

        struct Written: Equatable {
            var volumes: [Float]
            var isMuted: Bool
        }

        init() async throws {
            server = try TestServer()
            stream = server.add(CPW_OBJECT_NODE, ["media.class": "Stream/Output/Audio", "object.serial": serial])
            observer = try await GraphClient.connected(to: server, binds: false)
            try await observer.settle()
        }

        func order(
            _ volumes: [Float], isMuted: Bool = false, serial: String? = nil
        ) -> UnmanagedStreams.RestoreOrder {
            .init(id: ObjectID(stream.id), serial: serial ?? self.serial, volumes: volumes, isMuted: isMuted)
        }

        /// The mark of a program that ducks streams.
        @discardableResult
        func mark(
            _ name: String, _ payload: String, of client: TestObject? = nil,
            _ carrier: Announcement.Carrier = .session
        ) -> TestObject {
            let properties = Announcement(.mark, name: name, payload: payload).properties(of: carrier).pairs
            return server.add(
                carrier == .session ? CPW_OBJECT_SESSION : CPW_OBJECT_DEVICE,
                registry: properties.map { RawProperty($0.0, $0.1) } + [
                    RawProperty("client.id", client.map { "\($0.id)" } ?? "4711")
                ])
        }

        /// Gives a watchdog its orders, closes its connection, and returns when it has connected
        /// and disconnected.
        ///
        /// - Parameter whenItConnects: runs on the observer's loop.
        func runWatchdog(
            with orders: [UnmanagedStreams.RestoreOrder], whenItConnects: @escaping @Sendable () -> Void = {}
        ) async throws {
            await observer.observe { event in if event.otherClient != nil { whenItConnects() } }
            var watchdog = StreamWatchdog(remote: server.path)
            for order in orders { #expect(watchdog?.restoreAtExit([order], mark: Self.mark) == true) }
            watchdog = nil
            try await watchdogHasEnded()
        }

        func watchdogHasEnded() async throws {
            try await observer.wait(for: "the watchdog's end") { $0.otherClientsDisconnected }
        }

        var written: Written {
            var volumes = [Float](repeating: 0, count: Int(CPW_MAX_VOLUMES))
            var isMuted = false
            let count = cpt_node_soft_volumes(stream.handle, &volumes, volumes.count, &isMuted)
            return Written(volumes: Array(volumes.prefix(count)), isMuted: isMuted)
        }
    }
}

extension GraphClient {
    /// Whether other programs connected, and all have disconnected. The events are read in order,
    /// because PipeWire gives the id of a removed object to the next one.
    fileprivate var otherClientsDisconnected: Bool {
        var connected: Set<ObjectID> = []
        var wasAny = false
        for event in events {
            if let id = event.otherClient {
                connected.insert(id)
                wasAny = true
            } else if case .disappeared(let id) = event {
                connected.remove(id)
            }
        }
        return wasAny && connected.isEmpty
    }
}

extension GraphEvent {
    /// The id of another program that connected.
    fileprivate var otherClient: ObjectID? {
        guard case .clientAppeared(let client) = self, let process = client.processID, process != Int(getpid())
        else { return nil }
        return client.id
    }
}
