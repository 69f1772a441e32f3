import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// What session and manager call about the recorder's turn and its microphone, on the loop that all run on.
final class RecorderLink: SessionMember, InputFollower {
    private weak let recorder: AudioRecorder?
    private let snapshot: Locked<AudioRecorder.Snapshot>

    init(_ recorder: AudioRecorder) {
        self.recorder = recorder
        snapshot = recorder.snapshot
    }

    var isPlaying: Bool { snapshot.withLock(\.state) == .recording }
    var isHeard: Bool { false }
    var isStoppedByRouteLoss: Bool { false }
    /// None that is heard.
    var streams: Set<ObjectID> { [] }
    var isInputMuted: Bool { snapshot.withLock(\.isMuted) }

    func sessionActivated() {}
    func sessionInterrupted() { recorder?.assumeIsolated { $0.interrupt() } }
    func sessionInterruptionEnded(shouldResume: Bool) {
        recorder?.assumeIsolated { $0.interruptionEnded(shouldResume: shouldResume) }
    }
    func sessionLostOutput(_ port: PortDescription) {}
    func sessionRegainedRoute() {}
    func sessionDeactivates() -> String? {
        var stopped: String?
        recorder?.assumeIsolated { stopped = $0.stopForSession() }
        return stopped
    }
    func sessionDucked(to gain: Float) {}
    func sessionChoseRoute(for reason: RouteChangeReason?) { recorder?.assumeIsolated { $0.inputChosen() } }
    func sessionReconfigured() { recorder?.assumeIsolated { $0.sessionReconfigured() } }

    func sessionPrefers(_ properties: [(String, String)]) {
        recorder?.assumeIsolated { $0.stream?.setProperties(properties) }
    }
    var sound: MemberSound {
        var sound = MemberSound()
        recorder?.assumeIsolated { recorder in
            guard recorder.machine.state == .recording, let report = recorder.stream?.report else { return }
            sound.input = StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay)
            sound.source = recorder.observed?.source
        }
        return sound
    }

    func inputNews() { recorder?.assumeIsolated { $0.look() } }
    func inputMuted(_ isMuted: Bool) { recorder?.assumeIsolated { $0.receive(.muted(isMuted)) } }
    func connectionLost() { recorder?.assumeIsolated { $0.receive(.connectionLost) } }
}

extension AudioRecorder {
    func joinSession() {
        guard member == nil else { return }
        let member = RecorderLink(self)
        self.member = member
        session.assumeIsolated { $0.join(member) }
    }

    /// The gate first; thinking comes after.
    fileprivate func interrupt() {
        stream?.setGate(closed: true)
        receive(.sessionInterrupted)
    }

    fileprivate func interruptionEnded(shouldResume: Bool) {
        guard machine.state == .paused(reason: .interrupted) else { return }
        guard shouldResume else { return receive(.advisedNotToResume) }
        Task { await self.goOn() }
    }

    private func goOn() async {
        guard machine.state == .paused(reason: .interrupted) else { return }
        let isGranted = (try? await session.activate()) != nil
        // Somebody else was faster: that is an interruption once more, with an end of its own.
        guard session.state != .interrupted else { return }
        guard isGranted else { return receive(.advisedNotToResume) }
        if machine.state == .paused(reason: .interrupted), session.state == .active { receive(.resume) }
    }

    fileprivate func stopForSession() -> String? {
        guard machine.state != .stopped else { return nil }
        let wasRecording = machine.state == .recording
        receive(.sessionDeactivated)
        return wasRecording ? path ?? "Recording" : nil
    }

    func inputChosen() {
        let new = session.assumeIsolated { $0.target(.input) }
        guard stream != nil, new != target else { return }
        // What is recorded already needs no other stream, and no gap; until it is another that is recorded.
        let source = new ?? manager.currentRoute.inputs.first?.nodeName
        if source == nil || source != machine.input?.nodeName { receive(.inputChosen) }
    }

    fileprivate func sessionReconfigured() {
        if !session.configuration.allowsRecording { receive(.categoryChanged) }
    }
}
