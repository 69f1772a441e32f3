import AudioSessionCore
import AudioSessions
public import CAudioSession

/// Why a session was silent at one moment, for C programs.
final class SilenceReasons: Sendable {
    private struct Reason {
        let kind: as_silence_kind
        let gain: Float
        let processID: Int32
        let name: Word?
        let session: Word?
    }

    private let reasons: [Reason]

    init(_ reasons: [AudioSession.SilenceReason]) {
        self.reasons = reasons.flatMap { reason in
            let (kind, gain, causes) = Self.parts(of: reason)
            guard !causes.isEmpty else {
                return [Reason(kind: kind, gain: gain, processID: 0, name: nil, session: nil)]
            }
            return causes.map { cause in
                Reason(
                    kind: kind, gain: gain, processID: Int32(clamping: cause.processID ?? 0),
                    name: cause.applicationName.map(Word.init), session: Word(cause.session.description))
            }
        }
    }

    private static func parts(of reason: AudioSession.SilenceReason) -> (as_silence_kind, Float, [AudioSession.Peer])
    {
        switch reason {
        case .inactive: (AS_SILENCE_INACTIVE, 1, [])
        case .interrupted(let by): (AS_SILENCE_INTERRUPTED, 1, by)
        case .advised: (AS_SILENCE_ADVISED, 1, [])
        case .ducked(let gain, let by): (AS_SILENCE_DUCKED, gain, by)
        case .silentMode: (AS_SILENCE_SILENT_MODE, 1, [])
        case .muted: (AS_SILENCE_MUTED, 1, [])
        case .inputMuted: (AS_SILENCE_INPUT_MUTED, 1, [])
        case .routeLost: (AS_SILENCE_ROUTE_LOST, 1, [])
        case .daemonLost: (AS_SILENCE_DAEMON_LOST, 1, [])
        case .paused: (AS_SILENCE_PAUSED, 1, [])
        }
    }

    var count: Int { reasons.count }

    func reason(_ index: UInt32) throws(Failure) -> as_silence_reason {
        guard index < reasons.count else {
            throw .badParam("The index \(index) is out of range: there are \(reasons.count) reasons.")
        }
        let reason = reasons[Int(index)]
        return as_silence_reason(
            size: UInt32(MemoryLayout<as_silence_reason>.size), kind: reason.kind, gain: reason.gain,
            cause_pid: reason.processID, cause_name: reason.name?.pointer, cause_session: reason.session?.pointer)
    }
}

@c @implementation
public func as_session_get_silence_reasons(
    _ session: OpaquePointer?, _ reasons: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    reasons?.pointee = nil
    return answer {
        try give(reasons, "reasons") {
            SilenceReasons(try Handles.all.find(session, Session.self).session.silenceReasons)
        }
    }
}

@c @implementation
public func as_silence_reasons_count(_ reasons: OpaquePointer?) -> UInt32 {
    count(reasons, SilenceReasons.self, \.count)
}

@c @implementation
public func as_silence_reasons_get(
    _ reasons: OpaquePointer?, _ index: UInt32, _ reason: UnsafeMutablePointer<as_silence_reason>?
) -> as_status {
    answer { try write(Handles.all.find(reasons, SilenceReasons.self).reason(index), to: reason) }
}

@c @implementation
public func as_silence_reasons_free(_ reasons: OpaquePointer?) -> as_status {
    guard reasons != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(reasons, SilenceReasons.self) }
}
