import CAudioSession
import PipeWireGraph

/// An object that C programs hold, and that has a handler: an output, a player and the like.
protocol HandlerOwner: AnyObject, Sendable {
    var handlerQueue: HandlerQueue { get }
}

extension HandlerOwner {
    /// Makes the handle under which C programs know the object.
    func handle() -> OpaquePointer {
        let handle = Handles.all.add(self)
        handlerQueue.setSender(handle)
        return handle
    }
}

/// Starts work, and blocks until it is done.
/// - Throws: `onLoopThread`; `forked`; errors of the work.
func waitUntilDone<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    try checkMayWait()
    return try BridgeThread.wait(for: work)
}

/// Checks that the work of other calls does not need the caller's thread. A destroy function may
/// run on both of these threads.
func checkMayWait() throws(Failure) {
    guard !LoopExecutor.isLoopThread else { throw .onLoopThread }
    guard !BridgeThread.isCurrent else { throw .onLoopThread }
}

/// Checks that an object with a handler can be released on the caller's thread, before its handle
/// is taken.
func checkMayRelease() throws(Failure) {
    guard !HandlerQueue.thread.isCurrent else { throw .wrongThread }
    try checkMayWait()
}

/// Checks that handlers may call every function, also those that wait or release, on the caller's
/// thread.
func checkMayDispatch() throws(Failure) {
    guard !HandlerQueue.thread.isCurrent, !LoopExecutor.isLoopThread, !BridgeThread.isCurrent else {
        throw .dispatchesOnLibraryThread
    }
}

/// Makes an object, and writes its handle where the caller wants it.
func make(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: String, _ error: UnsafeMutablePointer<as_error>?,
    _ make: () throws -> any HandlerOwner
) -> as_status {
    handle?.pointee = nil
    return answer(error) {
        guard let handle else { throw Failure.badParam("There is nowhere to write the \(name) to: it is NULL.") }
        handle.pointee = try make().handle()
    }
}

/// Does what an object is asked for, and returns when it is done.
func perform<Owner: HandlerOwner>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, _ error: UnsafeMutablePointer<as_error>?,
    _ work: @escaping @Sendable (Owner) async throws -> Void
) -> as_status {
    answer(error) {
        let owner = try Handles.all.find(handle, kind)
        try waitUntilDone { try await work(owner) }
    }
}

/// Takes an object back from the program, whose handler is not called any more.
func takeBack<Owner: HandlerOwner>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, _ close: @escaping @Sendable (Owner) async -> Void
) -> as_status {
    guard handle != nil else { return AS_OK }
    return answer {
        try checkMayRelease()
        let owner = try Handles.all.take(handle, kind)
        owner.handlerQueue.detachHandler()
        try waitUntilDone { await close(owner) }
        // Afterwards, because the handler may be in a call that waits until the object is closed.
        owner.handlerQueue.waitForCalls()
    }
}

/// Returns the number of elements of a list, which is 0 if the handle is none.
func count<List: AnyObject>(
    _ handle: OpaquePointer?, _ kind: List.Type, _ count: (List) -> Int
) -> UInt32 {
    var result = 0
    _ = answer { result = count(try Handles.all.find(handle, kind)) }
    return UInt32(result)
}

/// Reads what an actor knows, and writes it where the caller wants it.
func read<Owner: HandlerOwner, Struct: BitwiseCopyable & Sendable>(
    _ handle: OpaquePointer?, _ kind: Owner.Type, to pointer: UnsafeMutablePointer<Struct>?,
    _ error: UnsafeMutablePointer<as_error>?, _ value: @escaping @Sendable (Owner) async throws -> Struct
) -> as_status {
    answer(error) {
        let owner = try Handles.all.find(handle, kind)
        try write(try waitUntilDone { try await value(owner) }, to: pointer)
    }
}
