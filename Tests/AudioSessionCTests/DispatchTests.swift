import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionC

/// Handlers that a program's main loop calls.
@Suite(.blocking, .timeLimit(.minutes(10))) struct DispatchTests {
    private let loop: Loop

    init() throws { loop = try Loop() }

    /// The program polls the descriptor, and calls the handlers on its own thread.
    @Test func aLoopThatPollsReceivesTheEventsOfASession() async throws {
        let laptop = try await Laptop(calledBy: loop.dispatcher)
        let session = try laptop.session()
        var (descriptor, error) = (-1 as Int32, as_error.new)
        #expect(as_manager_get_descriptor(laptop.manager, &descriptor) == AS_OK)
        #expect(descriptor == loop.dispatcher.descriptor)
        let status = as_session_set_handler(
            session,
            { _, event, context in
                guard let event, event.pointee.type == AS_EVENT_STATE_CHANGED else { return }
                Loop.of(context)?.received.append("\(event.pointee.state.rawValue) on \(pthread_self())")
            }, loop.context)
        #expect(status == AS_OK)
        #expect(as_session_activate(session, nil) == AS_OK)
        while !loop.received.lines.contains("1 on \(pthread_self())") {
            try #require(loop.isReadable(within: 60_000))
            #expect(as_manager_dispatch(laptop.manager, &error) == AS_OK, "\(error.text)")
        }
        #expect(as_session_destroy(session) == AS_OK)
        laptop.close()
    }

    @Test func theDescriptorIsReadableWhileEventsWait() throws {
        loop.push(1)
        #expect(!loop.isReadable(), "there is no handler")
        try loop.handlerQueue.setHandler(appendVolume, loop.context)
        loop.push(2)
        loop.push(3)
        #expect(loop.isReadable() && loop.isReadable() && loop.received.lines.isEmpty)
        try loop.dispatcher.dispatch()
        #expect(loop.received.lines == ["2.0, dropped 0", "3.0, dropped 0"])
        #expect(!loop.isReadable())
        loop.push(4)
        #expect(loop.isReadable())
        loop.handlerQueue.detachHandler()
        #expect(!loop.isReadable(), "the object is released")
    }

    /// An object that is listed after its release would use memory until the loop runs.
    @Test func anEventDuringTheReleaseOfItsObjectDoesNotWakeTheLoop() async throws {
        for _ in 0..<1_000 {
            let released = HandlerQueue(calledBy: loop.dispatcher)
            try released.setHandler(appendVolume, loop.context)
            let event = Task.detached { [loop] in loop.push(1, to: released) }
            released.detachHandler()
            await event.value
            try #require(!loop.isReadable())
        }
    }

    @Test func aLoopThatDoesNotRunLosesTheOldestEvents() throws {
        try loop.handlerQueue.setHandler(appendVolume, loop.context)
        for level in 1...300 { loop.push(level) }
        try loop.dispatcher.dispatch()
        #expect(loop.received.lines.first == "45.0, dropped 44")
        #expect(loop.received.lines.last == "300.0, dropped 0" && loop.received.lines.count == 256)
        #expect(!loop.isReadable())
    }

    /// The loop has other work too.
    @Test func aHandlerThatCausesEventsDoesNotKeepTheLoop() throws {
        try loop.handlerQueue.setHandler(
            { session, event, context in
                appendVolume(session, event, context)
                Loop.of(context)?.push(1)
            }, loop.context)
        loop.push(1)
        try loop.dispatcher.dispatch()
        #expect(loop.received.lines.count == Dispatcher.limit && loop.isReadable())
        loop.handlerQueue.detachHandler()
    }

    @Test func aHandlerReleasesItsOwnObjectAndItsManager() async throws {
        let laptop = try await Laptop(calledBy: loop.dispatcher)
        let session = try laptop.session()
        let status = as_session_set_handler(
            session,
            { session, _, manager in
                as_session_destroy(session)
                as_manager_close(OpaquePointer(bitPattern: UInt(bitPattern: manager)))
            }, UnsafeMutableRawPointer(laptop.manager))
        #expect(status == AS_OK)
        #expect(as_session_activate(session, nil) == AS_OK)
        try #require(loop.isReadable(within: 60_000))
        #expect(as_manager_dispatch(laptop.manager, nil) == AS_OK)
        #expect(as_session_destroy(session) == AS_ERROR_BAD_HANDLE)
        #expect(as_manager_dispatch(laptop.manager, nil) == AS_ERROR_BAD_HANDLE)
    }

    /// A handler may show a dialog, whose loop is the program's.
    @Test func aHandlersOwnLoopReceivesTheEventsOfOthers() throws {
        let other = HandlerQueue(calledBy: loop.dispatcher)
        try loop.handlerQueue.setHandler(
            { session, event, context in
                appendVolume(session, event, context)
                Loop.of(context)?.dispatch()
                Loop.of(context)?.received.append("returned")
            }, loop.context)
        try other.setHandler(appendVolume, loop.context)
        loop.push(1)
        loop.push(2)
        loop.push(3, to: other)
        try loop.dispatcher.dispatch()
        #expect(
            loop.received.lines
                == ["1.0, dropped 0", "3.0, dropped 0", "returned", "2.0, dropped 0", "returned"])
    }

    /// The handlers of one manager are called one after the other.
    @Test func anotherThreadCannotDispatchMeanwhile() async throws {
        try loop.handlerQueue.setHandler(
            { session, event, context in
                appendVolume(session, event, context)
                Loop.of(context)?.gate.wait()
            }, loop.context)
        loop.push(1)
        defer { loop.gate.open() }
        let first = Task.detached(executorPreference: OwnThread()) { [loop] in try loop.dispatcher.dispatch() }
        try await loop.received.wait(for: "1.0, dropped 0")
        let failure = #expect(throws: Failure.self) { try loop.dispatcher.dispatch() }
        #expect(failure?.status == AS_ERROR_WRONG_THREAD)
        loop.gate.open()
        try await first.value
        try loop.dispatcher.dispatch()
    }

    /// Handlers there could not release objects, and would delay the library.
    @Test func aThreadOfTheLibraryCannotDispatch() async throws {
        try loop.handlerQueue.setHandler(appendVolume, loop.context)
        loop.push(1)
        let thread = HandlerQueue.thread
        #expect(thread.start())
        let status = await withCheckedContinuation { (status: CheckedContinuation<as_status, Never>) in
            thread.post { [loop] in status.resume(returning: loop.dispatchStatus()) }
        }
        #expect(status == AS_ERROR_WRONG_THREAD)
        let statusOnBridge = try BridgeThread.wait { [loop] in loop.dispatchStatus() }
        #expect(statusOnBridge == AS_ERROR_WRONG_THREAD)
        #expect(loop.received.lines.isEmpty && loop.isReadable())
        #expect(loop.dispatchStatus() == AS_OK && loop.received.lines == ["1.0, dropped 0"])
    }

    @Test func allObjectsOfAManagerAreCalledByItsDispatcherUntilItIsClosed() async throws {
        let laptop = try await Laptop(calledBy: loop.dispatcher)
        let session = try laptop.session()
        var (output, input, player) = (nil as OpaquePointer?, nil as OpaquePointer?, nil as OpaquePointer?)
        var (recorder, unmanaged, shown) = (nil as OpaquePointer?, nil as OpaquePointer?, nil as OpaquePointer?)
        #expect(as_output_create(session, nil, &output, nil) == AS_OK)
        #expect(as_input_create(session, nil, &input, nil) == AS_OK)
        #expect(as_player_create(session, nil, &player, nil) == AS_OK)
        #expect(as_recorder_create(session, nil, &recorder, nil) == AS_OK)
        #expect(as_unmanaged_create(session, nil, &unmanaged, nil) == AS_OK)
        let name = Word("Tunes")
        var options = sized(as_now_playing_options())
        options.name = name.pointer
        #expect(as_now_playing_create(player, &options, &shown, nil) == AS_OK)
        for object in [output, input, player, recorder, unmanaged, shown] {
            let owner = try Handles.all.find(object, (any HandlerOwner).self)
            #expect(owner.handlerQueue.dispatcher === loop.dispatcher)
        }
        #expect(as_now_playing_destroy(shown) == AS_OK && as_unmanaged_destroy(unmanaged) == AS_OK)
        #expect(as_recorder_destroy(recorder) == AS_OK && as_player_destroy(player) == AS_OK)
        #expect(as_input_destroy(input) == AS_OK && as_output_destroy(output) == AS_OK)
        #expect(as_session_set_handler(session, appendVolume, loop.context) == AS_OK)
        #expect(as_session_activate(session, nil) == AS_OK)
        laptop.close()
        try loop.dispatcher.dispatch()
        #expect(loop.received.lines.isEmpty && !loop.isReadable())
        #expect(as_session_destroy(session) == AS_OK)
    }

    @Test func aManagerWithAThreadHasNoDescriptor() async throws {
        let laptop = try await Laptop()
        var (descriptor, error) = (-1 as Int32, as_error.new)
        #expect(as_manager_get_descriptor(laptop.manager, &descriptor) == AS_ERROR_BAD_PARAM && descriptor == -1)
        #expect(as_manager_dispatch(laptop.manager, &error) == AS_ERROR_BAD_PARAM)
        #expect(error.text.hasSuffix("Open it with 'calls_handlers_in_dispatch'."))
        laptop.close()
        #expect(as_manager_get_descriptor(nil, &descriptor) == AS_ERROR_BAD_HANDLE)
        #expect(as_manager_dispatch(nil, nil) == AS_ERROR_BAD_HANDLE)
    }
}

private func appendVolume(
    _ session: OpaquePointer?, _ event: UnsafePointer<as_event>?, _ context: UnsafeMutableRawPointer?
) {
    guard let event else { return }
    Loop.of(context)?.received.append("\(event.pointee.volume), dropped \(event.pointee.dropped)")
}

/// A program's loop, and an object with a handler.
private final class Loop: Sendable {
    let dispatcher: Dispatcher
    let handlerQueue: HandlerQueue
    let received = ReceivedLines()
    let gate = Gate()

    init() throws {
        dispatcher = try Dispatcher()
        handlerQueue = HandlerQueue(calledBy: dispatcher)
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ context: UnsafeMutableRawPointer?) -> Loop? {
        context.map { Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
    }

    func push(_ level: Int, to other: HandlerQueue? = nil) {
        (other ?? handlerQueue).push(
            AudioSession.Event.outputVolumeChanged(previous: .init(level: 0), current: .init(level: Float(level))))
    }

    func dispatch() { try? dispatcher.dispatch() }

    func dispatchStatus() -> as_status {
        do throws(Failure) {
            try dispatcher.dispatch()
            return AS_OK
        } catch {
            return error.status
        }
    }

    /// Whether the descriptor is readable within this number of milliseconds.
    func isReadable(within limit: Int32 = 0) -> Bool {
        var polled = pollfd(fd: dispatcher.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, limit) == 1
    }
}
