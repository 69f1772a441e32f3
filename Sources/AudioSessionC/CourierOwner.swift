import CAudioSession
import PipeWireGraph

/// An object that C programs hold, and that has a handler: an output, a player and the like.
protocol CourierOwner: AnyObject, Sendable {
    var courier: Courier { get }
}

extension CourierOwner {
    /// Makes the handle under which C programs know the object.
    func handle() -> OpaquePointer {
        let handle = Handles.all.add(self)
        courier.setSender(handle)
        return handle
    }
}

/// Makes an object, and writes its handle where the caller wants it.
func make(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: String, _ error: UnsafeMutablePointer<as_error>?,
    _ make: () throws -> any CourierOwner
) -> as_status {
    handle?.pointee = nil
    return answer(error) {
        guard let handle else { throw Failure.badParam("There is nowhere to write the \(name) to: it is NULL.") }
        handle.pointee = try make().handle()
    }
}

/// Does what an object is asked for, and returns when it is done.
func perform<Owner: CourierOwner>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, _ error: UnsafeMutablePointer<as_error>?,
    _ work: @escaping @Sendable (Owner) async throws -> Void
) -> as_status {
    answer(error) {
        let owner = try Handles.all.find(handle, kind)
        try BridgeThread.wait { try await work(owner) }
    }
}

/// Takes an object back from the program, whose handler is not called any more.
func takeBack<Owner: CourierOwner>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, _ close: @escaping @Sendable (Owner) async -> Void
) -> as_status {
    guard handle != nil else { return AS_OK }
    return answer {
        guard !Courier.thread.isCurrent else { throw Failure.wrongThread }
        let owner = try Handles.all.take(handle, kind)
        owner.courier.removeHandler()
        try BridgeThread.wait { await close(owner) }
    }
}

/// Reads what an actor knows, and writes it where the caller wants it.
func read<Owner: CourierOwner, Struct: BitwiseCopyable & Sendable>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, to pointer: UnsafeMutablePointer<Struct>?,
    _ error: UnsafeMutablePointer<as_error>?, _ value: @escaping @Sendable (Owner) async throws -> Struct
) -> as_status {
    answer(error) {
        let owner = try Handles.all.find(handle, kind)
        try write(try BridgeThread.wait { try await value(owner) }, to: pointer)
    }
}
