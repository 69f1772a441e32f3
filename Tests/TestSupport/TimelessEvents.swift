package import AudioSessionCore
package import AudioSessionPlayback
package import AudioSessions

// Events without their times, for tests of their kind and order. Other tests assert times.

extension MonotonicTime {
    package static let never = MonotonicTime(nanoseconds: 0)
}

extension AudioSession.Event {
    package static func stateChanged(_ state: AudioSession.State) -> Self { .stateChanged(state, at: .never) }
    package static func ducking(gain: Float, by peers: [AudioSession.Peer]) -> Self {
        .ducking(gain: gain, by: peers, at: .never)
    }
    package static func silenceSecondaryAudioHint(_ type: SilenceSecondaryAudioHintType) -> Self {
        .silenceSecondaryAudioHint(type, at: .never)
    }
    package static func outputVolumeChanged(previous: OutputVolume, current: OutputVolume) -> Self {
        .outputVolumeChanged(previous: previous, current: current, at: .never)
    }
    package static func inputGainChanged(previous: Float, current: Float) -> Self {
        .inputGainChanged(previous: previous, current: current, at: .never)
    }
    package static func hardwareFormatChanged(previous: HardwareFormat, current: HardwareFormat) -> Self {
        .hardwareFormatChanged(previous: previous, current: current, at: .never)
    }

    /// The event at no time, except where the time is of the route's change or of a loss.
    package var timeless: Self {
        switch self {
        case .stateChanged(let state, _): .stateChanged(state)
        case .ducking(let gain, let peers, _): .ducking(gain: gain, by: peers)
        case .silenceReasonsChanged(let reasons, _): .silenceReasonsChanged(reasons, at: .never)
        case .silenceSecondaryAudioHint(let type, _): .silenceSecondaryAudioHint(type)
        case .outputVolumeChanged(let previous, let current, _):
            .outputVolumeChanged(previous: previous, current: current)
        case .inputGainChanged(let previous, let current, _): .inputGainChanged(previous: previous, current: current)
        case .hardwareFormatChanged(let previous, let current, _):
            .hardwareFormatChanged(previous: previous, current: current)
        case .mediaServicesLost: .mediaServicesLost(at: .never)
        case .mediaServicesReset: .mediaServicesReset(at: .never)
        case .interruptionBegan, .interruptionEnded, .becameNoisy, .routeChanged, .resumeAdvice: self
        }
    }

    package var isSilenceChange: Bool { if case .silenceReasonsChanged = self { true } else { false } }
}

extension AudioSessionManager.Event {
    /// The event at no time, except where the time is of the route's change or of a loss.
    package var timeless: Self {
        switch self {
        case .availablePortsChanged: .availablePortsChanged(at: .never)
        case .silentModeChanged(let isOn, _): .silentModeChanged(isOn, at: .never)
        case .mediaServicesLost: .mediaServicesLost(at: .never)
        case .mediaServicesReset: .mediaServicesReset(at: .never)
        case .becameNoisy, .routeChanged: self
        }
    }
}

extension AudioPlayer.Event {
    package static func stateChanged(_ state: AudioPlayer.State) -> Self { .stateChanged(state, at: .never) }
    package static func itemChanged(_ item: AudioPlayer.Item?) -> Self { .itemChanged(item, at: .never) }
    package static func positionChanged(_ position: Duration) -> Self { .positionChanged(position, at: .never) }
    package static func becameNoisy(_ port: PortDescription) -> Self { .becameNoisy(port, at: .never) }
    package static func failed(_ error: AudioSessionError) -> Self { .failed(error, at: .never) }

    package var timeless: Self {
        switch self {
        case .stateChanged(let state, _): .stateChanged(state)
        case .itemChanged(let item, _): .itemChanged(item)
        case .positionChanged(let position, _): .positionChanged(position)
        case .finished: .finished(at: .never)
        case .becameNoisy(let port, _): .becameNoisy(port)
        case .routeChanged: self
        case .failed(let error, _): .failed(error)
        }
    }
}

extension AudioRecorder.Event {
    package static func stateChanged(_ state: AudioRecorder.State) -> Self { .stateChanged(state, at: .never) }
    package static func inputChanged(_ port: PortDescription) -> Self { .inputChanged(port, at: .never) }
    package static func microphoneMuted(by muter: AudioRecorder.Muter) -> Self {
        .microphoneMuted(by: muter, at: .never)
    }
    package static func microphoneUnmuted(by muter: AudioRecorder.Muter) -> Self {
        .microphoneUnmuted(by: muter, at: .never)
    }
    package static func microphoneLost(_ port: PortDescription) -> Self { .microphoneLost(port, at: .never) }
    package static func overrun(frames: Int) -> Self { .overrun(frames: frames, at: .never) }
    package static func failed(_ error: AudioSessionError) -> Self { .failed(error, at: .never) }

    package var timeless: Self {
        switch self {
        case .stateChanged(let state, _): .stateChanged(state)
        case .inputChanged(let port, _): .inputChanged(port)
        case .microphoneMuted(let muter, _): .microphoneMuted(by: muter)
        case .microphoneUnmuted(let muter, _): .microphoneUnmuted(by: muter)
        case .microphoneSilent: .microphoneSilent(at: .never)
        case .microphoneLost(let port, _): .microphoneLost(port)
        case .overrun(let frames, _): .overrun(frames: frames)
        case .failed(let error, _): .failed(error)
        case .finished(let recording, let reason, _): .finished(recording, reason: reason, at: .never)
        }
    }
}

extension AudioOutput.Event {
    package static func stateChanged(_ state: AudioOutput.State) -> Self { .stateChanged(state, at: .never) }
    package static func becameNoisy(_ port: PortDescription) -> Self { .becameNoisy(port, at: .never) }
    package static func underrun(frames: Int) -> Self { .underrun(frames: frames, at: .never) }
    package static func callbackWasLate(count: Int) -> Self { .callbackWasLate(count: count, at: .never) }
    package static func failed(_ error: AudioSessionError) -> Self { .failed(error, at: .never) }

    package var timeless: Self {
        switch self {
        case .stateChanged(let state, _): .stateChanged(state)
        case .becameNoisy(let port, _): .becameNoisy(port)
        case .routeChanged: self
        case .underrun(let frames, _): .underrun(frames: frames)
        case .callbackWasLate(let count, _): .callbackWasLate(count: count)
        case .failed(let error, _): .failed(error)
        }
    }
}
