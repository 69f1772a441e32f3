import AudioSessionCore
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// Which port was chosen for a session, and why, for C programs.
final class Choice: Sendable {
    private let reason: as_choice_reason
    private let port: Port?
    private let wanted: Port?
    private let description: Word

    init(_ choice: PortChoice) {
        reason = as_choice_reason(choice.reason)
        port = choice.port.map(Port.init)
        wanted = choice.wanted.map(Port.init)
        description = Word(choice.description)
    }

    var info: as_choice_info {
        as_choice_info(
            size: UInt32(MemoryLayout<as_choice_info>.size), reason: reason, port: port?.pointer,
            wanted: wanted?.pointer, description: description.pointer)
    }
}

extension as_choice_reason {
    fileprivate init(_ reason: PortChoice.Reason) {
        self =
            switch reason {
            case .systemDefault: AS_CHOICE_SYSTEM_DEFAULT
            case .preferred: AS_CHOICE_PREFERRED
            case .preferredMissing: AS_CHOICE_PREFERRED_MISSING
            case .cardSwitched: AS_CHOICE_CARD_SWITCHED
            case .override: AS_CHOICE_OVERRIDE
            case .defaultToSpeaker: AS_CHOICE_DEFAULT_TO_SPEAKER
            case .dataSource: AS_CHOICE_DATA_SOURCE
            case .headset: AS_CHOICE_HEADSET
            case .bluetoothNotAllowed: AS_CHOICE_BLUETOOTH_NOT_ALLOWED
            }
    }
}

/// A part of a C program that needs its session to be active.
final class HeldSession: Sendable {
    let hold: AudioSession.Hold

    init(_ hold: AudioSession.Hold) { self.hold = hold }
}

@c @implementation
public func as_session_hold(
    _ session: OpaquePointer?, _ hold: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    hold?.pointee = nil
    return answer(error) {
        try give(hold, "hold") {
            let session = try Handles.all.find(session, Session.self).session
            return HeldSession(try waitUntilDone { try await session.hold() })
        }
    }
}

@c @implementation
public func as_hold_end(_ hold: OpaquePointer?) -> as_status {
    guard hold != nil else { return AS_OK }
    return answer {
        try checkMayWait()
        let held = try Handles.all.take(hold, HeldSession.self)
        try waitUntilDone { await held.hold.end() }
    }
}

@c @implementation
public func as_session_set_preferred_port(
    _ session: OpaquePointer?, _ direction: as_direction, _ uid: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let (direction, uid) = (try PortDirection(direction), try text(uid, "uid"))
        // Only the uid counts, so that the session names what there is if it is not there.
        let wanted = uid.map { PortDescription(type: .unknown, name: $0, uid: $0, direction: direction) }
        try waitUntilDone {
            if direction == .output {
                try await session.setPreferredOutput(wanted)
            } else {
                try await session.setPreferredInput(wanted)
            }
        }
    }
}

@c @implementation
public func as_session_get_preferred_ports(
    _ session: OpaquePointer?, _ ports: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    ports?.pointee = nil
    return answer {
        try give(ports, "ports") {
            let session = try Handles.all.find(session, Session.self).session
            return Route(
                RouteDescription(
                    inputs: session.preferredInput.map { [$0] } ?? [],
                    outputs: session.preferredOutput.map { [$0] } ?? []))
        }
    }
}

@c @implementation
public func as_session_get_choice(
    _ session: OpaquePointer?, _ direction: as_direction, _ choice: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    choice?.pointee = nil
    return answer {
        try give(choice, "choice") {
            let session = try Handles.all.find(session, Session.self).session
            return session.routeChoice[try PortDirection(direction)].map(Choice.init)
        }
    }
}

@c @implementation
public func as_choice_get(_ choice: OpaquePointer?, _ info: UnsafeMutablePointer<as_choice_info>?) -> as_status {
    answer { try write(Handles.all.find(choice, Choice.self).info, to: info) }
}

@c @implementation
public func as_choice_free(_ choice: OpaquePointer?) -> as_status {
    guard choice != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(choice, Choice.self) }
}

@c @implementation
public func as_session_set_resumes_on_replug(
    _ session: OpaquePointer?, _ resumes: Bool, _ limit: UInt32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(session, error) { session in
        try await session.changeConfiguration { configuration in
            configuration.resumesOnReplug = resumes
            configuration.replugTimeout =
                limit == 0 ? AudioSession.Configuration.defaultReplugTimeout : .milliseconds(limit)
        }
    }
}

@c @implementation
public func as_session_set_preferred_channels(
    _ session: OpaquePointer?, _ direction: as_direction, _ count: Int32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let direction = try PortDirection(direction)
        let count = count == 0 ? nil : Int(count)
        try waitUntilDone {
            if direction == .output {
                try await session.setPreferredOutputNumberOfChannels(count)
            } else {
                try await session.setPreferredInputNumberOfChannels(count)
            }
        }
    }
}
