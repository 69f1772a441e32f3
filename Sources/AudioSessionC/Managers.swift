import AudioSessions
public import CAudioSession
import PipeWireGraph

/// One that C programs hold.
final class Manager: Sendable {
    let manager: AudioSessionManager

    init(_ manager: AudioSessionManager) { self.manager = manager }

    func handle() -> OpaquePointer { Handles.all.add(self) }
}

@c @implementation
public func as_manager_open(
    _ options: UnsafePointer<as_manager_options>?, _ manager: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    manager?.pointee = nil
    return answer(error) {
        guard let manager else { throw Failure.badParam("There is nowhere to write the manager to: it is NULL.") }
        let configuration = try AudioSessionManager.Configuration(options)
        guard Courier.thread.start() else { throw Failure.noThread }
        let made = try BridgeThread.wait { try await AudioSessionManager.connect(configuration) }
        manager.pointee = Manager(made).handle()
    }
}

@c @implementation
public func as_manager_close(_ manager: OpaquePointer?) -> as_status {
    guard manager != nil else { return AS_OK }
    return answer {
        guard !Courier.thread.isCurrent else { throw Failure.wrongThread }
        let manager = try Handles.all.take(manager, Manager.self).manager
        try BridgeThread.wait { await manager.close() }
    }
}
