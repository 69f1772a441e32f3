import AudioSessionCore
import AudioSessionPlayback
import CAudioSession
import PipeWireGraph

extension AudioPlayer.Role {
    init(_ role: as_role) throws(Failure) { self = try number(role.rawValue, "role", of: Self.numbered) }

    /// The roles by the numbers of `as_role`.
    private static let numbered: [Self] = [
        .music, .movie, .game, .notification, .communication, .accessibility, .production, .test,
    ]
}

extension AudioOutput.Format {
    /// The format that a program asks for: `nil` is the hardware's.
    ///
    /// Where only one of the two numbers is 0, that one is the hardware's.
    /// - Parameter otherwise: The number of channels if the hardware's is unknown.
    static func asked(
        _ rate: Int32, _ channels: Int32, hardware: (rate: Int, channels: Int), otherwise: Int
    ) throws(Failure) -> Self? {
        if rate == 0, channels == 0 { return nil }
        let format = Self(
            sampleRate: rate == 0 ? (hardware.rate > 0 ? hardware.rate : 48_000) : Int(rate),
            channelCount: channels == 0
                ? (hardware.channels > 0 ? min(hardware.channels, FrameRing.maximumChannels) : otherwise)
                : Int(channels))
        guard format.isSupported else {
            throw Failure(
                status: AS_ERROR_UNSUPPORTED_FORMAT,
                message: "No stream has \(rate) frames per second of \(channels) channels. "
                    + "Ask for 1 to 768,000 frames per second and 1 to 8 channels, or 0 for the hardware's.")
        }
        return format
    }
}

extension as_stream_state {
    init(_ state: AudioOutput.State) {
        self =
            switch state {
            case .stopped: AS_STREAM_STOPPED
            case .playing: AS_STREAM_RUNNING
            case .paused: AS_STREAM_PAUSED
            }
    }

    init(_ state: AudioPlayer.State) {
        self =
            switch state {
            case .stopped: AS_STREAM_STOPPED
            case .playing: AS_STREAM_RUNNING
            case .paused: AS_STREAM_PAUSED
            case .finished: AS_STREAM_FINISHED
            }
    }

    init(_ state: AudioRecorder.State) {
        self =
            switch state {
            case .stopped: AS_STREAM_STOPPED
            case .recording: AS_STREAM_RUNNING
            case .paused: AS_STREAM_PAUSED
            }
    }
}

extension as_pause_reason {
    init(_ state: AudioOutput.State) {
        guard case .paused(let reason) = state else {
            self = AS_PAUSE_NONE
            return
        }
        self =
            switch reason {
            case .routeLost: AS_PAUSE_ROUTE_LOST
            case .interrupted: AS_PAUSE_INTERRUPTED
            case .sessionInactive: AS_PAUSE_SESSION_INACTIVE
            case .mediaServicesLost: AS_PAUSE_MEDIA_SERVICES_LOST
            case .outputFailed: AS_PAUSE_STREAM_FAILED
            }
    }

    init(_ state: AudioPlayer.State) {
        guard case .paused(let reason) = state else {
            self = AS_PAUSE_NONE
            return
        }
        self =
            switch reason {
            case .user: AS_PAUSE_USER
            case .routeLost: AS_PAUSE_ROUTE_LOST
            case .interrupted: AS_PAUSE_INTERRUPTED
            case .sessionInactive: AS_PAUSE_SESSION_INACTIVE
            case .mediaServicesLost: AS_PAUSE_MEDIA_SERVICES_LOST
            case .outputFailed: AS_PAUSE_STREAM_FAILED
            }
    }

    init(_ state: AudioRecorder.State) {
        guard case .paused(let reason) = state else {
            self = AS_PAUSE_NONE
            return
        }
        self =
            switch reason {
            case .user: AS_PAUSE_USER
            case .interrupted: AS_PAUSE_INTERRUPTED
            }
    }
}

extension as_finish_reason {
    init(_ reason: AudioRecorder.FinishReason) {
        self =
            switch reason {
            case .stopped: AS_FINISH_STOPPED
            case .interrupted: AS_FINISH_INTERRUPTED
            case .microphoneLost: AS_FINISH_MICROPHONE_LOST
            case .categoryChanged: AS_FINISH_CATEGORY_CHANGED
            case .sessionDeactivated: AS_FINISH_SESSION_DEACTIVATED
            case .mediaServicesLost: AS_FINISH_MEDIA_SERVICES_LOST
            case .failed: AS_FINISH_FAILED
            }
    }
}

extension as_muter {
    init(_ muter: AudioRecorder.Muter) {
        self =
            switch muter {
            case .program: AS_MUTED_BY_PROGRAM
            case .user: AS_MUTED_BY_USER
            }
    }
}

extension as_level {
    /// Selects the level of one channel.
    /// - Parameter channel: counted from 0.
    init(_ levels: [AudioRecorder.Level], _ channel: UInt32) throws(Failure) {
        guard channel < levels.count else {
            throw .badParam("There are \(levels.count) channels, counted from 0, and none of number \(channel).")
        }
        let level = levels[Int(channel)]
        self.init(size: 0, average_power: level.averagePower, peak_power: level.peakPower)
    }
}

extension as_stream_statistics {
    /// Converts the statistics of a stream that plays.
    /// - Parameter latency: instead of PipeWire's alone.
    init(_ statistics: AudioPlayer.Statistics, latency: Duration? = nil) {
        self.init()
        quantum = UInt32(clamping: statistics.quantum)
        graph_rate = UInt32(clamping: statistics.graphRate)
        cycles = statistics.cycles
        self.latency = (latency ?? statistics.latency) / .seconds(1)
        gate_delay = (statistics.gateDelay ?? .zero) / .seconds(1)
        gate_time = statistics.gateTime?.nanoseconds ?? 0
        last_sound_time = statistics.lastSoundTime?.nanoseconds ?? 0
    }

    /// Converts the statistics of a stream that captures.
    init(_ statistics: AudioRecorder.Statistics, latency: Duration, isEchoCancelled: Bool) {
        self.init()
        is_echo_cancelled = isEchoCancelled
        cycles = statistics.cycles
        dropped_frames = statistics.droppedFrames
        self.latency = latency / .seconds(1)
        gate_delay = (statistics.gateDelay ?? .zero) / .seconds(1)
        gate_time = statistics.gateTime?.nanoseconds ?? 0
    }
}

/// The time that a program allows, from a limit in milliseconds; `nil` is no limit.
func duration(ofLimit limit: UInt32) -> Duration? { limit == UInt32.max ? nil : .milliseconds(limit) }
