import AudioSessionCore
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// A manager for which a C program holds a handle.
final class Manager: Sendable {
    let manager: AudioSessionManager
    let handlerQueue: HandlerQueue
    private let observation: EventObservation

    init(_ manager: AudioSessionManager, calledBy dispatcher: Dispatcher?) {
        self.manager = manager
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        observation = manager.observe { [handlerQueue] in handlerQueue.push($0) }
    }

    func handle() -> OpaquePointer {
        let handle = Handles.all.add(self)
        handlerQueue.setSender(handle)
        return handle
    }
}

/// Does what the manager is asked for, and returns when it is done.
private func perform(
    _ manager: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?,
    _ work: @escaping @Sendable (AudioSessionManager) async throws -> Void
) -> as_status {
    answer(error) {
        let manager = try Handles.all.find(manager, Manager.self).manager
        try waitUntilDone { try await work(manager) }
    }
}

@c @implementation
public func as_manager_open(
    _ options: UnsafePointer<as_manager_options>?, _ manager: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    manager?.pointee = nil
    return answer(error) {
        guard let manager else {
            throw Failure.badParam("The pointer for the manager is NULL. Pass the address of a variable.")
        }
        let configuration = try AudioSessionManager.Configuration(options)
        let dispatcher = try Dispatcher.asked(options)
        guard dispatcher != nil || HandlerQueue.thread.start() else { throw Failure.noThread }
        let made = try waitUntilDone { try await AudioSessionManager.connect(configuration) }
        manager.pointee = Manager(made, calledBy: dispatcher).handle()
    }
}

@c @implementation
public func as_manager_close(_ manager: OpaquePointer?) -> as_status {
    guard manager != nil else { return AS_OK }
    return answer {
        try checkMayRelease()
        let manager = try Handles.all.take(manager, Manager.self)
        manager.handlerQueue.detachHandler()
        manager.handlerQueue.dispatcher?.close()
        try waitUntilDone { [manager = manager.manager] in await manager.close() }
        manager.handlerQueue.waitForCalls()
    }
}

private func findDispatcher(_ manager: OpaquePointer?) throws(Failure) -> Dispatcher {
    guard let dispatcher = try Handles.all.find(manager, Manager.self).handlerQueue.dispatcher else {
        throw .badParam(
            "The manager calls its handlers on a thread of the library. "
                + "Open it with 'calls_handlers_in_dispatch'.")
    }
    return dispatcher
}

@c @implementation
public func as_manager_get_descriptor(
    _ manager: OpaquePointer?, _ descriptor: UnsafeMutablePointer<Int32>?
) -> as_status {
    answer {
        let dispatcher = try findDispatcher(manager)
        guard let descriptor else { throw Failure.badParam("There is no room for the answer: descriptor is NULL.") }
        descriptor.pointee = dispatcher.descriptor
    }
}

@c @implementation
public func as_manager_dispatch(_ manager: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    answer(error) { try findDispatcher(manager).dispatch() }
}

@c @implementation
public func as_manager_set_handler(
    _ manager: OpaquePointer?, _ handler: as_manager_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(manager, Manager.self).handlerQueue.setHandler(handler, userData) }
}

@c @implementation
public func as_manager_get_info(
    _ manager: OpaquePointer?, _ info: UnsafeMutablePointer<as_manager_info>?
) -> as_status {
    answer {
        let (volume, isSilentMode, isInputMuted) = try Handles.all.find(manager, Manager.self).manager.values
        try write(
            as_manager_info(
                size: 0, output_volume: volume?.level ?? 0, is_output_muted: volume?.isMuted ?? false,
                is_silent_mode: isSilentMode, is_input_muted: isInputMuted),
            to: info)
    }
}

@c @implementation
public func as_manager_get_route(
    _ manager: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(try Handles.all.find(manager, Manager.self).manager.currentRoute) }
    }
}

@c @implementation
public func as_manager_get_available_ports(
    _ manager: OpaquePointer?, _ ports: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    ports?.pointee = nil
    return answer {
        try give(ports, "ports") {
            let manager = try Handles.all.find(manager, Manager.self).manager
            return Route(RouteDescription(inputs: manager.availableInputs, outputs: manager.availableOutputs))
        }
    }
}

@c @implementation
public func as_manager_set_silent_mode(
    _ manager: OpaquePointer?, _ isOn: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(manager, error) { try await $0.setSilentMode(isOn) }
}

@c @implementation
public func as_manager_set_input_muted(
    _ manager: OpaquePointer?, _ isMuted: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(manager, error) { await $0.setInputMuted(isMuted) }
}

@c @implementation
public func as_manager_set_in_background(
    _ manager: OpaquePointer?, _ isInBackground: Bool, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(manager, error) { await $0.setInBackground(isInBackground) }
}

private let pipeWireVersion = Word(AudioSessionManager.pipeWireVersion)

@c @implementation
public func as_pipewire_version() -> UnsafePointer<CChar>? { pipeWireVersion.pointer }
