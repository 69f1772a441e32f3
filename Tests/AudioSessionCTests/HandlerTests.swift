import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// The notifications of C programs, on a fake computer without PipeWire.
@Suite(.blocking, .timeLimit(.minutes(10))) struct HandlerTests {
    private let lines = ReceivedLines()

    private func listen(_ session: OpaquePointer?) {
        let context = Unmanaged.passUnretained(lines).toOpaque()
        let status = as_session_set_handler(
            session,
            { _, event, context in
                guard let event, let context else { return }
                Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append(describe(event.pointee))
            }, context)
        #expect(status == AS_OK)
    }

    @Test func interruptionsAreNotified() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        listen(session)
        #expect(as_session_activate(session, nil) == AS_OK)
        try await lines.wait(for: "state 1")
        let film = try await laptop.another("Film")
        try await film.activate()
        try await lines.wait(for: "interrupted by Film")
        try await lines.wait(for: "state 2")
        try await film.deactivate()
        try await lines.wait(for: "ended, true")
        #expect(as_session_activate(session, nil) == AS_OK)
        try await film.activate()
        try await film.deactivate([])
        try await lines.wait(for: "ended, false")
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func aRefusalHasACodeOfItsOwn() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        let call = try await laptop.another("Call", .init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        var error = as_error.new
        #expect(as_session_activate(session, &error) == AS_ERROR_INSUFFICIENT_PRIORITY)
        #expect(error.status == AS_ERROR_INSUFFICIENT_PRIORITY && error.os_status == 561_017_449)
        try await call.deactivate()
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func routesAreNotifiedAndRead() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        listen(session)
        #expect(as_session_activate(session, nil) == AS_OK)
        laptop.pullHeadphones()
        try await lines.wait(for: "noisy Headphones 4")
        try await lines.wait(for: "route Headphones -> Speakers, reason 2")
        var (route, copy) = (nil as OpaquePointer?, nil as OpaquePointer?)
        #expect(as_session_get_route(session, &route) == AS_OK)
        #expect(as_route_count(route, AS_DIRECTION_OUTPUT) == 1)
        #expect(as_route_count(route, AS_DIRECTION_INPUT) == 0)
        #expect(as_route_copy(route, &copy) == AS_OK)
        #expect(as_route_free(route) == AS_OK)
        #expect(as_route_count(route, AS_DIRECTION_OUTPUT) == 0)
        var port = as_port()
        #expect(as_route_port(copy, AS_DIRECTION_OUTPUT, 0, &port) == AS_ERROR_BAD_PARAM)
        port.size = UInt32(MemoryLayout<as_port>.size)
        #expect(as_route_port(copy, AS_DIRECTION_OUTPUT, 0, &port) == AS_OK)
        #expect(port.type == AS_PORT_BUILT_IN_SPEAKER)
        #expect(String(cString: port.name) == "Speakers")
        #expect(!String(cString: port.uid).isEmpty)
        #expect(as_route_port(copy, AS_DIRECTION_OUTPUT, 1, &port) == AS_ERROR_BAD_PARAM)
        #expect(as_route_free(copy) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func theInfoMatchesTheSession() async throws {
        let laptop = try await Laptop()
        let session = try laptop.session()
        var info = as_session_info()
        info.size = UInt32(MemoryLayout<as_session_info>.size)
        #expect(as_session_get_info(session, &info) == AS_OK)
        #expect(info.state == AS_STATE_INACTIVE)
        #expect(as_session_activate(session, nil) == AS_OK)
        #expect(as_session_set_preferred_sample_rate(session, 44_100, nil) == AS_OK)
        #expect(as_session_set_preferred_io_buffer_duration(session, 0.25, nil) == AS_OK)
        #expect(as_session_get_info(session, &info) == AS_OK)
        #expect(info.state == AS_STATE_ACTIVE)
        #expect(info.gain == 1)
        #expect(info.preferred_sample_rate == 44_100)
        #expect(info.preferred_io_buffer_duration == 0.25)
        #expect(as_session_override_output(session, true, nil) == AS_ERROR_INCOMPATIBLE_CATEGORY)
        #expect(as_session_deactivate(session, true, nil) == AS_OK)
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    /// A handler that removes itself may still run: its context must not be freed before it has
    /// returned.
    @Test func removingAHandlerWaitsForItAlsoIfItIsAlreadyRemoved() async throws {
        let handlerQueue = HandlerQueue(calledBy: nil)
        let (received, gate) = (ReceivedLines(), Gate())
        let once = Once(handlerQueue: handlerQueue, received: received, gate: gate)
        try handlerQueue.setHandler(
            { _, _, context in
                guard let context else { return }
                let once = Unmanaged<Once>.fromOpaque(context).takeUnretainedValue()
                try? once.handlerQueue.setHandler(nil, nil)
                once.received.append("in")
                once.gate.wait()
                once.received.append("out")
            }, Unmanaged.passUnretained(once).toOpaque())
        handlerQueue.push(AudioSession.Event.outputVolumeChanged(previous: .init(level: 0), current: .init(level: 1)))
        try await received.wait(for: "in")
        let caller = Locked<String?>(nil)
        Task.detached(executorPreference: OwnThread()) {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            caller.withLock { $0 = thread }
            received.append("call")
            try? handlerQueue.setHandler(nil, nil)
            received.append("back")
        }
        try await received.wait(for: "call")
        // Only a blocked thread shows that it waits. An open gate would hide that it does not.
        let thread = try #require(caller.withLock { $0 })
        try await waitUntil("the caller sleeps, or is back") {
            if received.lines.contains("back") { return true }
            return try isAsleep(thread)
        }
        gate.open()
        try await received.wait(for: "back")
        #expect(received.lines == ["in", "call", "out", "back"])
        withExtendedLifetime(once) {}
    }

    /// The handler of another sender may wait for the caller, or for a lock that the caller holds.
    @Test func settingAndRemovingAHandlerWaitsForNoOtherSender() async throws {
        let (handlerQueue, other) = (HandlerQueue(calledBy: nil), HandlerQueue(calledBy: nil))
        let (received, gate) = (ReceivedLines(), Gate())
        let pair = Pair(received: received, gate: gate)
        try other.setHandler(
            { _, _, context in
                guard let context else { return }
                let pair = Unmanaged<Pair>.fromOpaque(context).takeUnretainedValue()
                pair.received.append("in")
                pair.gate.wait()
            }, Unmanaged.passUnretained(pair).toOpaque())
        defer {
            gate.open()
            try? other.removeHandler()
            withExtendedLifetime(pair) {}
        }
        other.push(AudioSession.Event.outputVolumeChanged(previous: .init(level: 0), current: .init(level: 1)))
        try await received.wait(for: "in")
        Task.detached(executorPreference: OwnThread()) {
            try? handlerQueue.setHandler({ _, _, _ in }, nil)
            received.append("set")
            try? handlerQueue.setHandler({ _, _, _ in }, nil)
            received.append("replaced")
            try? handlerQueue.removeHandler()
            received.append("removed")
            handlerQueue.detachHandler()
            handlerQueue.waitForCalls()
            received.append("released")
        }
        for line in ["set", "replaced", "removed", "released"] { try await received.wait(for: line) }
    }

    /// Another thread may have found the object before its release, and set the handler after it.
    @Test func aReleasedObjectGetsNoHandler() throws {
        let handlerQueue = HandlerQueue(calledBy: nil)
        handlerQueue.detachHandler()
        try handlerQueue.setHandler(
            { _, _, context in
                guard let context else { return }
                Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append("called")
            }, Unmanaged.passUnretained(lines).toOpaque())
        handlerQueue.push(AudioSession.Event.outputVolumeChanged(previous: .init(level: 0), current: .init(level: 1)))
        let done = Semaphore()
        // The thread runs its jobs in order, so the event would be delivered before.
        HandlerQueue.thread.post { done.signal() }
        done.wait()
        #expect(lines.lines.isEmpty)
    }

    @Test func aSlowHandlerLosesTheOldestEvents() async throws {
        let handlerQueue = HandlerQueue(calledBy: nil)
        let (received, gate) = (ReceivedLines(), Gate())
        let pair = Pair(received: received, gate: gate)
        try handlerQueue.setHandler(
            { _, event, context in
                guard let event, let context else { return }
                let pair = Unmanaged<Pair>.fromOpaque(context).takeUnretainedValue()
                pair.received.append("volume \(event.pointee.volume), dropped \(event.pointee.dropped)")
                pair.gate.wait()
            }, Unmanaged.passUnretained(pair).toOpaque())
        func push(_ level: Int) {
            handlerQueue.push(
                AudioSession.Event.outputVolumeChanged(previous: .init(level: 0), current: .init(level: Float(level)))
            )
        }
        push(1)
        try await received.wait(for: "volume 1.0, dropped 0")
        for level in 2...300 { push(level) }
        gate.open()
        try await received.wait(for: "volume 45.0, dropped 43")
        try await received.wait(for: "volume 300.0, dropped 0")
        try handlerQueue.setHandler(nil, nil)
        let count = received.lines.count
        push(301)
        #expect(count == 257 && received.lines.count == count)
        withExtendedLifetime(pair) {}
    }
}

/// Whether a thread sleeps, by its folder in /proc.
private func isAsleep(_ thread: String) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
    // The thread's name is in parentheses, and its state follows.
    return status.split(separator: ")").last?.hasPrefix(" S") == true
}

private final class Once: Sendable {
    let handlerQueue: HandlerQueue
    let received: ReceivedLines
    let gate: Gate

    init(handlerQueue: HandlerQueue, received: ReceivedLines, gate: Gate) {
        (self.handlerQueue, self.received, self.gate) = (handlerQueue, received, gate)
    }
}

private func describe(_ event: as_event) -> String {
    switch event.type {
    case AS_EVENT_STATE_CHANGED: "state \(event.state.rawValue)"
    case AS_EVENT_INTERRUPTION_BEGAN: "interrupted by \(String(cString: event.cause_name))"
    case AS_EVENT_INTERRUPTION_ENDED: "ended, \(event.should_resume)"
    case AS_EVENT_BECAME_NOISY:
        "noisy \(String(cString: event.port.pointee.name)) \(event.port.pointee.type.rawValue)"
    case AS_EVENT_ROUTE_CHANGED:
        "route \(outputName(event.previous_route)) -> \(outputName(event.current_route)), reason \(event.reason.rawValue)"
    default: "event \(event.type.rawValue)"
    }
}
