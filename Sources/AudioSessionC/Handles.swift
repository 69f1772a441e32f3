import PipeWireGraph

/// The objects behind the handles of C programs.
///
/// A handle is a number in the shape of a pointer. It is looked up and never followed, so that one
/// that was given back, or is of another kind, is an error. No number is used twice.
final class Handles: Sendable {
    static let all = Handles()

    private struct State {
        var objects: [UInt: any AnyObject & Sendable] = [:]
        var last: UInt = 0
    }

    private let state = Locked(State())

    func add(_ object: some AnyObject & Sendable) -> OpaquePointer {
        let number = state.withLock { state in
            state.last += 16
            state.objects[state.last] = object
            return state.last
        }
        guard let handle = OpaquePointer(bitPattern: number) else { preconditionFailure("handles are above 0") }
        return handle
    }

    func find<Object>(_ handle: OpaquePointer?, _ kind: Object.Type) throws(Failure) -> Object {
        let object = handle.flatMap { handle in state.withLock { $0.objects[UInt(bitPattern: handle)] } }
        guard let object = object as? Object else { throw .badHandle(kind) }
        return object
    }

    /// Returns the object of a handle, which is invalid from now on.
    func take<Object>(_ handle: OpaquePointer?, _ kind: Object.Type) throws(Failure) -> Object {
        let object: Object? = handle.flatMap { handle in
            state.withLock { state in
                guard let object = state.objects[UInt(bitPattern: handle)] as? Object else { return nil }
                state.objects[UInt(bitPattern: handle)] = nil
                return object
            }
        }
        guard let object else { throw .badHandle(kind) }
        return object
    }
}
