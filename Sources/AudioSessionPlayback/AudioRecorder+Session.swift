package import AudioSessionCore
package import AudioSessions
import PipeWireGraph

/// What the session and the manager tell the recorder, on the loop that all run on.
extension AudioRecorder: SessionParticipant {
    package nonisolated var facts: ParticipantFacts {
        snapshot.withLock { snapshot in
            var facts = ParticipantFacts()
            facts.isRunning = snapshot.state == .recording
            facts.isHeard = false
            facts.isInputMuted = snapshot.isMuted
            facts.source = facts.isRunning ? snapshot.source : nil
            facts.title = facts.isRunning ? snapshot.path ?? "Recording" : nil
            return facts
        }
    }

    package nonisolated var timing: ParticipantTiming {
        assumeIsolated { recorder in
            guard recorder.machine.state == .recording, let report = recorder.stream?.report else {
                return ParticipantTiming()
            }
            return ParticipantTiming(
                input: StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay))
        }
    }

    package nonisolated func receive(_ input: ParticipantInput) { assumeIsolated { $0.obey(input) } }

    package nonisolated func receive(_ input: RouteInput) { assumeIsolated { $0.follow(input) } }

    private func obey(_ input: ParticipantInput) {
        switch input {
        case .interrupted: receive(.sessionInterrupted)
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume)
        case .deactivated: if machine.state != .stopped { receive(.sessionDeactivated) }
        case .targetChanged: inputChosen()
        case .reconfigured: if !session.configuration.allowsRecording { receive(.categoryChanged) }
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        case .activated, .outputLost, .outputRegained, .ducked: break
        }
    }

    private func follow(_ input: RouteInput) {
        switch input {
        case .inputChanged: look()
        case .inputMuted(let isMuted): receive(.muted(isMuted))
        case .connectionLost: receive(RecorderEvent.connectionLost)
        default: break
        }
    }
}

extension AudioRecorder {
    func joinSession() {
        guard !hasJoined else { return }
        hasJoined = true
        session.assumeIsolated { $0.join(self) }
    }

    private func interruptionEnded(shouldResume: Bool) {
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

    func inputChosen() {
        let new = session.assumeIsolated { $0.target(.input) }
        guard stream != nil, new != target else { return }
        // What is recorded already needs no other stream, and no gap; until it is another that is recorded.
        let source = new ?? manager.currentRoute.inputs.first?.nodeName
        if source == nil || source != machine.input?.nodeName { receive(.inputChosen) }
    }
}
