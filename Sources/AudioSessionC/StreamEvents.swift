import AudioSessionCore
import AudioSessionPlayback
import AudioSessions
import CAudioSession

/// An event of an output, input, player or recorder, and what it points to, which needs memory of
/// its own while the handler runs.
private struct StreamEvent {
    var event = as_stream_event()
    var port: PortDescription?
    var change: RouteChange?
    var item: AudioPlayer.Item?
    var path: String?
    var error: AudioSessionError?

    init(_ type: as_stream_event_type, _ time: MonotonicTime) {
        event.type = type
        event.time = time.nanoseconds
    }

    init(_ error: AudioSessionError, at time: MonotonicTime) {
        self.init(AS_STREAM_EVENT_FAILED, time)
        self.error = error
        path = error.path
        event.status = Failure.statuses[error.code] ?? AS_ERROR_UNSPECIFIED
    }

    init(lost port: PortDescription, at time: MonotonicTime) {
        self.init(AS_STREAM_EVENT_BECAME_NOISY, time)
        self.port = port
    }

    init(_ change: RouteChange) {
        self.init(AS_STREAM_EVENT_ROUTE_CHANGED, change.time)
        self.change = change
        event.reason = as_route_change_reason(rawValue: UInt32(change.reason.rawValue))
    }

    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        var event = event
        event.size = UInt32(MemoryLayout<as_stream_event>.size)
        event.dropped = dropped
        let (port, item) = (port.map(Port.init), item.map(QueueItem.init))
        let (path, message) = (path.map(Word.init), (error?.message).map(Word.init))
        (event.port, event.item) = (port?.pointer, item?.pointer)
        (event.path, event.message) = (path?.pointer, message?.pointer)
        let routes = [change?.previous, change?.current].map { $0.map { Handles.all.add(Route($0)) } }
        (event.previous_route, event.current_route) = (routes[0], routes[1])
        withUnsafePointer(to: event) { body($0) }
        for route in routes { _ = try? route.map { try Handles.all.take($0, Route.self) } }
        withExtendedLifetime((port, item, path, message)) {}
    }
}

extension AudioOutput.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        parts.withC(dropped: dropped, body)
    }

    private var parts: StreamEvent {
        var parts: StreamEvent
        switch self {
        case .stateChanged(let state, let time):
            parts = StreamEvent(AS_STREAM_EVENT_STATE_CHANGED, time)
            (parts.event.state, parts.event.pause_reason) = (as_stream_state(state), as_pause_reason(state))
        case .becameNoisy(let port, let time): parts = StreamEvent(lost: port, at: time)
        case .routeChanged(let change): parts = StreamEvent(change)
        case .underrun(let frames, let time):
            parts = StreamEvent(AS_STREAM_EVENT_UNDERRUN, time)
            parts.event.frames = UInt64(frames)
        case .callbackWasLate(let count, let time):
            parts = StreamEvent(AS_STREAM_EVENT_CALLBACK_WAS_LATE, time)
            parts.event.frames = UInt64(count)
        case .failed(let error, let time): parts = StreamEvent(error, at: time)
        }
        return parts
    }
}

extension AudioPlayer.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        parts.withC(dropped: dropped, body)
    }

    private var parts: StreamEvent {
        var parts: StreamEvent
        switch self {
        case .stateChanged(let state, let time):
            parts = StreamEvent(AS_STREAM_EVENT_STATE_CHANGED, time)
            (parts.event.state, parts.event.pause_reason) = (as_stream_state(state), as_pause_reason(state))
        case .itemChanged(let item, let time):
            parts = StreamEvent(AS_STREAM_EVENT_ITEM_CHANGED, time)
            parts.item = item
        case .positionChanged(let position, let time):
            parts = StreamEvent(AS_STREAM_EVENT_POSITION_CHANGED, time)
            parts.event.position = position / .seconds(1)
        case .finished(let time): parts = StreamEvent(AS_STREAM_EVENT_FINISHED, time)
        case .becameNoisy(let port, let time): parts = StreamEvent(lost: port, at: time)
        case .routeChanged(let change): parts = StreamEvent(change)
        case .failed(let error, let time): parts = StreamEvent(error, at: time)
        }
        return parts
    }
}

extension AudioRecorder.Event: CEvent {
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        parts.withC(dropped: dropped, body)
    }

    private var parts: StreamEvent {
        var parts: StreamEvent
        switch self {
        case .stateChanged(let state, let time):
            parts = StreamEvent(AS_STREAM_EVENT_STATE_CHANGED, time)
            (parts.event.state, parts.event.pause_reason) = (as_stream_state(state), as_pause_reason(state))
        case .inputChanged(let port, let time):
            parts = StreamEvent(AS_STREAM_EVENT_INPUT_CHANGED, time)
            parts.port = port
        case .microphoneMuted(let muter, let time):
            parts = StreamEvent(AS_STREAM_EVENT_MICROPHONE_MUTED, time)
            parts.event.muter = as_muter(muter)
        case .microphoneUnmuted(let muter, let time):
            parts = StreamEvent(AS_STREAM_EVENT_MICROPHONE_UNMUTED, time)
            parts.event.muter = as_muter(muter)
        case .microphoneSilent(let time): parts = StreamEvent(AS_STREAM_EVENT_MICROPHONE_SILENT, time)
        case .microphoneLost(let port, let time):
            parts = StreamEvent(AS_STREAM_EVENT_MICROPHONE_LOST, time)
            parts.port = port
        case .overrun(let frames, let time):
            parts = StreamEvent(AS_STREAM_EVENT_OVERRUN, time)
            parts.event.frames = UInt64(frames)
        case .failed(let error, let time): parts = StreamEvent(error, at: time)
        case .finished(let recording, let reason, let time):
            parts = StreamEvent(AS_STREAM_EVENT_FINISHED, time)
            parts.event.finish_reason = as_finish_reason(reason)
            parts.event.frames = UInt64(max(0, recording.frameCount))
            parts.path = recording.path
        }
        return parts
    }
}
