import AudioSessionCore

/// This extension receives the user's commands and events of the session.
extension RecorderStateMachine {
    mutating func record(_ path: String?, _ actions: inout [RecorderAction]) {
        guard state == .stopped, request == .record else { return }
        request = .none
        recording += 1
        self.path = path
        input = nil
        link = Link()
        begin(&actions)
        enter(.recording, &actions)
    }

    /// Cancels the request that waits for the session's activation.
    mutating func cancelRequest() { request = isStarting ? .cancelledRecord : .none }

    mutating func pause(_ reason: AudioRecorder.PauseReason, _ actions: inout [RecorderAction]) {
        guard state != .stopped, state != .paused(reason: .user) else { return }
        if state == .recording {
            release(&actions)
            actions.append(.pauseWriting)
        }
        enter(.paused(reason: reason), &actions)
    }

    mutating func resume(_ actions: inout [RecorderAction]) {
        guard case .paused = state else { return }
        begin(&actions)
        enter(.recording, &actions)
    }

    mutating func begin(_ actions: inout [RecorderAction]) {
        relinksLeft = Limits.relinks
        reportedMutes = []
        open(&actions)
    }

    /// Replaces the stream for another choice of microphone. Choosing the one that is being
    /// recorded already has no effect, which avoids a gap.
    mutating func inputChosen(_ source: String?, _ actions: inout [RecorderAction]) {
        guard state == .recording, source == nil || source != input?.nodeName else { return }
        relinksLeft = Limits.relinks
        reopen(&actions)
    }

    mutating func interrupted(_ actions: inout [RecorderAction]) {
        guard state == .recording else { return }
        if continuesAfterInterruption { pause(.interrupted, &actions) } else { finish(.interrupted, &actions) }
    }

    mutating func interruptionEnded(shouldResume: Bool, _ actions: inout [RecorderAction]) {
        guard state == .paused(reason: .interrupted) else { return }
        if shouldResume, continuesAfterInterruption {
            actions.append(.activate)
        } else {
            endInterrupted(&actions)
        }
    }

    /// Ends a recording that does not resume by itself after an interruption, or leaves it paused.
    private mutating func endInterrupted(_ actions: inout [RecorderAction]) {
        // Paused as by the user, because the end of a later interruption must not resume it.
        if keepsPausedRecordings { pause(.user, &actions) } else { finish(.interrupted, &actions) }
    }

    /// Ends a recording because the session does not record any more, or leaves it paused.
    mutating func endWithSession(_ reason: AudioRecorder.FinishReason, _ actions: inout [RecorderAction]) {
        if keepsPausedRecordings, case .paused = state {
            pause(.user, &actions)
        } else {
            finish(reason, &actions)
        }
    }

    /// Handles the end of an activation. If another session has interrupted this one again, a
    /// second *ended* follows.
    mutating func activationEnded(_ session: AudioSessionState, isGranted: Bool, _ actions: inout [RecorderAction]) {
        guard state == .paused(reason: .interrupted), session != .interrupted else { return }
        guard isGranted else { return endInterrupted(&actions) }
        if session == .active { resume(&actions) }
    }

    mutating func setMute(_ muter: AudioRecorder.Muter, _ isMuted: Bool) {
        if isMuted { mutes.insert(muter) } else { mutes.remove(muter) }
    }

    mutating func finish(_ reason: AudioRecorder.FinishReason, _ actions: inout [RecorderAction]) {
        guard state != .stopped else { return }
        release(&actions)
        actions.append(.finishWriting(recording: recording))
        finishing[recording] = reason
        enter(.stopped, &actions)
    }

    mutating func fail(_ error: AudioSessionError, _ actions: inout [RecorderAction]) {
        guard state != .stopped else { return }
        actions.append(.notify(.failed(error, at: now)))
        finish(.failed, &actions)
    }

    mutating func enter(_ state: AudioRecorder.State, _ actions: inout [RecorderAction]) {
        guard state != self.state else { return }
        self.state = state
        actions += [.send(.report(.changed(facts))), .notify(.stateChanged(state, at: now))]
    }
}
