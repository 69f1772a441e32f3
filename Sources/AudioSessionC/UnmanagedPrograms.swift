import AudioSessionCore
import AudioSessionDesktop
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// An `UnmanagedAudio` for which a C program holds a handle.
final class UnmanagedPrograms: HandlerOwner {
    let unmanaged: UnmanagedAudio
    let handlerQueue: HandlerQueue
    private let observation: EventObservation

    init(_ unmanaged: UnmanagedAudio, calledBy dispatcher: Dispatcher?) {
        self.unmanaged = unmanaged
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        observation = unmanaged.observe { [handlerQueue] in handlerQueue.push($0) }
    }
}

/// The players and streams that were affected at one moment, for C programs.
final class Programs: Sendable {
    private struct Program {
        let effect: as_unmanaged_effect
        let processID: Int32
        let name: Word
    }

    private let programs: [Program]

    init(paused: [UnmanagedAudio.Player], ducked: [UnmanagedAudio.Stream]) {
        programs =
            paused.map {
                Program(
                    effect: AS_UNMANAGED_EFFECT_PAUSED, processID: Int32(clamping: $0.processID ?? 0),
                    name: Word($0.name))
            }
            + ducked.map {
                Program(
                    effect: AS_UNMANAGED_EFFECT_DUCKED, processID: Int32(clamping: $0.processID ?? 0),
                    name: Word($0.name))
            }
    }

    var count: Int { programs.count }

    func program(_ index: UInt32) throws(Failure) -> as_program {
        guard index < programs.count else {
            throw .badParam("There are \(programs.count) programs, and none of number \(index).")
        }
        let program = programs[Int(index)]
        return as_program(
            size: UInt32(MemoryLayout<as_program>.size), effect: program.effect, pid: program.processID, reserved: 0,
            name: program.name.pointer)
    }
}

extension UnmanagedAudio.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        var event = as_unmanaged_event()
        let (name, reason) = fill(&event)
        event.size = UInt32(MemoryLayout<as_unmanaged_event>.size)
        event.dropped = dropped
        let (nameWord, reasonWord) = (name.map(Word.init), reason.map(Word.init))
        (event.name, event.reason) = (nameWord?.pointer, reasonWord?.pointer)
        withUnsafePointer(to: event) { body($0) }
        withExtendedLifetime((nameWord, reasonWord)) {}
    }

    private func fill(_ event: inout as_unmanaged_event) -> (name: String?, reason: String?) {
        switch self {
        case .paused(let player, let time): event.fill(AS_UNMANAGED_EVENT_PAUSED, player.processID, time)
        case .muted(let player, let time): event.fill(AS_UNMANAGED_EVENT_MUTED, player.processID, time)
        case .resumed(let player, let time): event.fill(AS_UNMANAGED_EVENT_RESUMED, player.processID, time)
        case .released(let player, let time): event.fill(AS_UNMANAGED_EVENT_RELEASED, player.processID, time)
        case .ducked(let stream, let gain, let time):
            event.fill(AS_UNMANAGED_EVENT_DUCKED, stream.processID, time)
            event.gain = gain
        case .restored(let stream, let time): event.fill(AS_UNMANAGED_EVENT_RESTORED, stream.processID, time)
        case .leftToRolePolicy(let time): event.fill(AS_UNMANAGED_EVENT_LEFT_TO_ROLE_POLICY, nil, time)
        case .unavailable(let reason, let time):
            event.fill(AS_UNMANAGED_EVENT_UNAVAILABLE, nil, time)
            return (nil, reason)
        }
        return (name, nil)
    }

    private var name: String? {
        switch self {
        case .paused(let player, _), .muted(let player, _), .resumed(let player, _), .released(let player, _):
            player.name
        case .ducked(let stream, _, _), .restored(let stream, _): stream.name
        case .leftToRolePolicy, .unavailable: nil
        }
    }
}

extension as_unmanaged_event {
    fileprivate mutating func fill(_ type: as_unmanaged_event_type, _ processID: Int?, _ time: MonotonicTime) {
        self.type = type
        self.time = time.nanoseconds
        pid = Int32(clamping: processID ?? 0)
    }
}

extension UnmanagedAudio.Exceptions {
    init(_ pointer: UnsafePointer<as_unmanaged_options>?) throws(Failure) {
        try checkSize(pointer)
        self.init()
        guard let options = pointer?.pointee else { return }
        // Before the arrays are read, because a larger number is often a negative one of the
        // program's.
        guard max(options.process_count, options.name_count) <= 4096 else {
            throw .badParam("There are more than 4,096 processes or names as exceptions. Pass fewer.")
        }
        guard options.process_count == 0 || options.processes != nil, options.name_count == 0 || options.names != nil
        else { throw .badParam("There are exceptions, but their array is NULL. Set its count to 0, or pass it.") }
        for index in 0..<Int(options.process_count) { processes.insert(Int(options.processes[index])) }
        for index in 0..<Int(options.name_count) {
            guard let name = try text(options.names[index], "name \(index)") else {
                throw .badParam("Name \(index) of the exceptions is NULL.")
            }
            names.insert(name)
        }
    }
}

@c @implementation
public func as_unmanaged_create(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_unmanaged_options>?,
    _ unmanaged: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(unmanaged, "unmanaged", error) {
        let owner = try Handles.all.find(session, Session.self)
        return UnmanagedPrograms(
            try UnmanagedAudio(session: owner.session, exceptions: .init(options)),
            calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_unmanaged_destroy(_ unmanaged: OpaquePointer?) -> as_status {
    takeBack(unmanaged, UnmanagedPrograms.self) { await $0.unmanaged.close() }
}

@c @implementation
public func as_unmanaged_wait_until_restored(
    _ unmanaged: OpaquePointer?, _ limit: UInt32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(unmanaged, UnmanagedPrograms.self, error) {
        // Swift's clock needs a limit. No program waits for a day.
        let limit = duration(ofLimit: limit) ?? .seconds(86_400)
        guard await $0.unmanaged.waitUntilRestored(within: limit) else {
            throw Failure(
                status: AS_ERROR_TIMED_OUT,
                message:
                    "Other programs were not as before within the limit of the call. One of them may not answer, "
                    + "or the session may be active still.")
        }
    }
}

@c @implementation
public func as_unmanaged_get_programs(
    _ unmanaged: OpaquePointer?, _ programs: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    programs?.pointee = nil
    return answer {
        try give(programs, "programs") {
            let unmanaged = try Handles.all.find(unmanaged, UnmanagedPrograms.self).unmanaged
            return Programs(paused: unmanaged.pausedPlayers, ducked: unmanaged.duckedStreams)
        }
    }
}

@c @implementation
public func as_programs_count(_ programs: OpaquePointer?) -> UInt32 {
    count(programs, Programs.self, \.count)
}

@c @implementation
public func as_programs_get(
    _ programs: OpaquePointer?, _ index: UInt32, _ program: UnsafeMutablePointer<as_program>?
) -> as_status {
    answer { try write(Handles.all.find(programs, Programs.self).program(index), to: program) }
}

@c @implementation
public func as_programs_free(_ programs: OpaquePointer?) -> as_status {
    guard programs != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(programs, Programs.self) }
}

@c @implementation
public func as_unmanaged_set_handler(
    _ unmanaged: OpaquePointer?, _ handler: as_unmanaged_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer {
        let handlerQueue = try Handles.all.find(unmanaged, UnmanagedPrograms.self).handlerQueue
        guard let handler else { return try handlerQueue.removeHandler() }
        try handlerQueue.setFunction(
            { handler($0, $1.assumingMemoryBound(to: as_unmanaged_event.self), $2) }, userData)
    }
}
