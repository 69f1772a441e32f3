import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Executes the actions of a recorder's state machine, and rejects impossible ones.
struct RecorderModel {
    private(set) var machine: RecorderStateMachine
    private(set) var stream: Stream?
    private(set) var received: [AudioRecorder.Event] = []
    private(set) var checkpoints = 0
    private(set) var streams = 0
    private(set) var isMuted = false
    private(set) var wakeTime: MonotonicTime?
    private(set) var isObserved = false
    private(set) var reports: [SessionInput.ParticipantChange] = []
    /// The requests to the manager, apart from following inputs.
    private(set) var requests: [ParticipantRequest] = []
    /// How often activation was requested.
    private(set) var activations = 0
    /// Recordings whose file waits to be closed.
    private var unwritten: [UInt64] = []
    private var isWriting = false
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    var counters = RecorderCounters(now: MonotonicTime(nanoseconds: 0))

    struct Stream {
        var isGateClosed = false
    }

    init(
        continues: Bool = false, staysPaused: Bool = false, continuesOnOtherInput: Bool = false,
        isMuted: Bool = false
    ) {
        machine = RecorderStateMachine(
            continuesAfterInterruption: continues, keepsPausedRecordings: staysPaused,
            continuesOnOtherInput: continuesOnOtherInput, isMuted: isMuted)
    }

    /// Whether captured frames reach the file.
    var records: Bool { stream?.isGateClosed == false }

    var reasons: [AudioRecorder.FinishReason] {
        received.compactMap { if case .finished(_, let reason, _) = $0 { reason } else { nil } }
    }

    mutating func send(_ event: RecorderEvent) {
        counters.now = now
        for action in machine.receive(event, counters) { perform(action) }
        #expect((stream != nil) == (machine.state == .recording))
        #expect((stream != nil) == isObserved)
        #expect(isWriting == (machine.state != .stopped))
        if machine.state == .recording { #expect(wakeTime != nil, "missing frames would go unnoticed") }
        if machine.state != .recording { #expect(wakeTime == nil, "it wakes up for nothing") }
    }

    private mutating func perform(_ action: RecorderAction) {
        switch action {
        case .openStream:
            #expect(stream == nil)
            stream = Stream()
            streams += 1
            isWriting = true
            isMuted = false
            counters = RecorderCounters(now: now)
        case .closeStream:
            #expect(stream?.isGateClosed == true, "something may still be recorded")
            stream = nil
        case .setGate(let isClosed): stream?.isGateClosed = isClosed
        case .setMuted(let isMuted): self.isMuted = isMuted
        case .pauseWriting:
            #expect(isWriting && stream == nil)
            checkpoints += 1
        case .finishWriting(let number):
            #expect(stream == nil, "it is still being written on")
            isWriting = false
            unwritten.append(number)
        case .wake(let time): wakeTime = time
        case .activate: activations += 1
        case .notify(let event): received.append(event.timeless)
        case .send(.request(.followInputs(let follows))):
            #expect(follows != isObserved)
            isObserved = follows
        case .send(.report(let report)): reports.append(report)
        case .send(.request(let request)): requests.append(request)
        }
    }

    // MARK: The program

    mutating func record() {
        send(.recordRequested)
        send(.record(path: nil))
        send(.recordReturned)
    }

    mutating func resume() {
        send(.resumeRequested)
        send(.resume)
        send(.resumeReturned)
    }

    // MARK: The environment

    /// Advances the writer as far as it can.
    mutating func write() {
        let ended = unwritten
        unwritten = []
        for number in ended {
            send(.writer(.finished(number, .init(path: nil, frameCount: 0, format: .init()))))
        }
    }

    mutating func observe(_ port: PortDescription) {
        send(.observed(InputObservation(source: ObjectID(5), port: port, isFormerAvailable: true)))
    }

    /// The session manager does not link the stream, though it could.
    mutating func observeNoLink() { send(.observed(InputObservation(isFormerAvailable: true))) }

    /// Captures frames for some time.
    mutating func capture(_ duration: Duration) {
        counters.frames += 48_000
        advance(by: duration)
    }

    mutating func advance(by duration: Duration) {
        now = now + duration
        guard let time = wakeTime, time <= now else { return }
        wakeTime = nil
        send(.timer)
    }
}
