import CPipeWireShim
import CPipeWireTestServer
import Glibc
import PipeWireGraph

/// A PipeWire daemon in this process, at a socket in a directory of its own.
final class TestServer: Sendable {
    let path: String
    private let directory: TestDirectory
    private let handle: Locked<OpaquePointer?>

    struct Failure: Error { let code: Int32 }

    init() throws {
        directory = try TestDirectory()
        path = directory.path + "/daemon"
        handle = Locked(try Self.start(path))
    }

    deinit { stop() }

    private static func start(_ path: String) throws -> OpaquePointer {
        var code: Int32 = 0
        guard let handle = cpt_server_start(path, &code) else { throw Failure(code: code) }
        return handle
    }

    /// Ends the daemon as a crash would. Its objects are freed, and must not be used any more.
    func stop() {
        let ended = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let ended { cpt_server_stop(ended) }
    }

    /// Starts another daemon at the same place.
    func restart() throws {
        stop()
        let started = try Self.start(path)
        handle.withLock { $0 = started }
    }

    /// Runs `body` so that no client sees an intermediate state.
    func atomically<Result>(_ body: () throws -> Result) rethrows -> Result {
        cpt_server_lock(running)
        defer { cpt_server_unlock(running) }
        return try body()
    }

    private var running: OpaquePointer {
        guard let handle = handle.withLock({ $0 }) else { preconditionFailure("the test stopped this daemon") }
        return handle
    }
}

/// A directory that is removed after the test.
final class TestDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/audio-sessions-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestServer.Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["daemon", "daemon.lock", "silent"] { unlink(path + "/" + name) }
        rmdir(path)
    }
}

/// An entry of a property dictionary as on the wire, where it need not be text.
struct RawProperty: Sendable {
    var key: [UInt8]?
    var value: [UInt8]?

    init(_ key: [UInt8]?, _ value: [UInt8]?) {
        self.key = key
        self.value = value
    }

    init(_ key: String, _ value: String) { self.init(Array(key.utf8), Array(value.utf8)) }
}

extension [RawProperty] {
    init(_ properties: KeyValuePairs<String, String>) { self = properties.map { RawProperty($0.key, $0.value) } }

    func withShim<Result>(_ body: (UnsafePointer<cpw_property>, Int) throws -> Result) rethrows -> Result {
        var storage: [UnsafeMutablePointer<CChar>] = []
        defer { for pointer in storage { pointer.deallocate() } }
        func copy(_ bytes: [UInt8]) -> UnsafePointer<CChar> {
            let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
            bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: pointer, count: $0.count).copyMemory(from: $0)
            }
            pointer[bytes.count] = 0
            storage.append(pointer)
            return UnsafePointer(pointer)
        }
        // Never empty, so that there is a pointer. The shim's header rules out a null key, but a
        // peer can send one.
        let raw = UnsafeMutablePointer<cpw_property>.allocate(capacity: count + 1)
        defer { raw.deallocate() }
        for (index, property) in enumerated() {
            let key = property.key.map(copy)
            raw[index] = cpw_property(key: unsafeBitCast(key, to: UnsafePointer<CChar>.self), value: nil)
            raw[index].value = property.value.map(copy)
        }
        return try body(raw, count)
    }
}

/// An object of a ``TestServer`` that behaves like a node, a device, a link, a client or metadata.
struct TestObject: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer
    let id: UInt32

    func remove() { cpt_object_remove(handle) }

    var boundCount: Int { cpt_object_bound_count(handle) }

    func emit(properties: [RawProperty]) {
        properties.withShim { cpt_object_emit_properties(handle, $0, $1) }
    }

    func emit(state: Int32) { cpt_node_emit_state(handle, state) }

    /// Sets the device's answer from now on; an empty pod means none.
    func set(_ parameter: cpw_device_param, _ pods: [[UInt8]]) {
        let joined = pods.flatMap { $0 }
        joined.withUnsafeBufferPointer { all in
            var offset = 0
            let raw = pods.map { pod in
                defer { offset += pod.count }
                return cpt_bytes(bytes: pod.isEmpty ? nil : all.baseAddress.map { $0 + offset }, size: pod.count)
            }
            cpt_device_set(handle, parameter, raw, raw.count)
        }
    }

    func emitChanged(_ parameters: cpw_device_param...) {
        cpt_device_emit_changed(handle, parameters.reduce(0) { $0 | 1 << $1.rawValue })
    }

    func emit(_ parameter: cpw_device_param, readable: Bool) {
        cpt_device_emit_readable(handle, parameter, readable)
    }

    func hold() { cpt_device_hold(handle, true) }
    func answer() { cpt_device_answer(handle) }
    func release() { cpt_device_hold(handle, false) }
    func questions(_ parameter: cpw_device_param) -> Int { cpt_device_question_count(handle, parameter) }

    func emit(subject: UInt32 = 0, key: String?, value: [UInt8]?) {
        let value = value.map { $0.map { CChar(bitPattern: $0) } + [0] }
        cpt_metadata_emit(handle, subject, key, "Spa:String:JSON", value)
    }

    func emit(subject: UInt32 = 0, key: String?, value: String) {
        emit(subject: subject, key: key, value: Array(value.utf8))
    }
}

extension TestServer {
    func add(
        _ type: cpw_object_type, registry: [RawProperty], properties: [RawProperty]? = nil
    ) -> TestObject {
        let handle = registry.withShim { registry, registryCount in
            (properties ?? []).withShim { all, count in
                let fallsBack = properties == nil
                return cpt_object_add(
                    running, type, registry, registryCount, fallsBack ? registry : all,
                    fallsBack ? registryCount : count)
            }
        }
        guard let handle else { preconditionFailure("no memory") }
        return TestObject(handle: handle, id: cpt_object_id(handle))
    }

    /// Adds an object whose properties are all in the registry.
    func add(_ type: cpw_object_type, _ properties: KeyValuePairs<String, String>) -> TestObject {
        add(type, registry: .init(properties))
    }

    func announce(_ type: cpw_object_type, id: UInt32, _ properties: [RawProperty]) {
        properties.withShim { cpt_server_announce(running, id, type, $0, $1) }
    }

    func endClient(_ id: UInt32) { cpt_server_end_client(running, id) }

    func createRealNode(_ properties: KeyValuePairs<String, String>) throws {
        let code = [RawProperty](properties).withShim { cpt_server_create_node(running, $0, $1) }
        guard code >= 0 else { throw Failure(code: code) }
    }
}
