package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// This extension receives the inputs of the session and the manager.
extension AudioRecorder {
    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }

    package func sessionChanged(_ input: ParticipantInput) {
        switch input {
        case .interrupted: handle(.sessionInterrupted)
        case .interruptionEnded(let shouldResume): handle(.interruptionEnded(shouldResume: shouldResume))
        case .deactivated: handle(.sessionDeactivated)
        case .targetChanged: chooseInput()
        case .reconfigured: handle(.configurationChanged(allowsRecording: session.configuration.allowsRecording))
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        case .activated, .outputLost, .outputRegained, .ducked: break
        }
    }

    package func routeChanged(_ input: RouteInput) {
        switch input {
        case .inputChanged: handle(.inputChanged)
        case .inputObserved(let observation): observe(observation)
        case .inputMuted(let isMuted): handle(.muted(isMuted))
        case .connectionLost: handle(.connectionLost)
        default: break
        }
    }

    /// Handles an observation of the input. The gate gets its trigger before anything is evaluated.
    private func observe(_ observation: InputObservation) {
        guard let stream, observation != observed else { return }
        observed = observation
        stream.setGateTriggers(observation.source.map { [$0] } ?? [])
        handle(.observed(observation))
        chooseInput()
    }

    private func chooseInput() {
        guard isTargetOutdated else { return }
        handle(.inputChosen(source: session.target(.input) ?? manager.currentRoute.inputs.first?.nodeName))
    }

    func activateToResume() async {
        guard machine.state == .paused(reason: .interrupted) else { return }
        let isGranted = (try? await session.activate()) != nil
        handle(.activationEnded(session.state, isGranted: isGranted))
    }
}
