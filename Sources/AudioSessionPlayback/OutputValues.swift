public import AudioSessions

extension AudioOutput {
    /// Frames per second and channels of 32-bit floating point samples, interleaved. Full scale is
    /// 1.
    public struct Format: Sendable, Hashable {
        /// Frames per second, 1 to 768,000. Where the graph has another rate, PipeWire converts.
        public var sampleRate: Int
        /// 1 to 8. The speakers of the channels are those of WAV files: front left, front right,
        /// front center and so on.
        public var channelCount: Int

        /// Stereo of 48 kHz, unless said otherwise.
        public init(sampleRate: Int = 48_000, channelCount: Int = 2) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
        }
    }

    /// How an output renders, and its names in mixers. What it does when its device is lost, and
    /// after interruptions, is part of its session's configuration.
    public struct Configuration: Sendable, Hashable {
        /// `nil` takes the format of the hardware in use when the output is made, which spares a
        /// conversion.
        public var format: Format?
        /// How much sound the ring of an output without a callback holds. It is brought between 1
        /// ms and 10 s.
        public var bufferDuration: Duration
        /// What the sound is, for mixers; as ``AudioPlayer/Configuration/role``.
        public var role: AudioPlayer.Role
        /// How the stream shows in mixers.
        public var title: String
        /// How the program shows in mixers; `nil` takes the manager's, else leaves it to PipeWire.
        public var applicationName: String?
        /// `node.name` of the stream. The session manager keeps a stream's volume under the role
        /// and these names.
        public var nodeName: String?
        /// Whether calls of the render callback are timed. One that takes longer than its frames
        /// last is reported by ``Event/callbackWasLate(count:at:)`` within a second. Meant for
        /// debugging: it reads the clock twice a cycle.
        public var reportsLateCallbacks: Bool

        /// A configuration of which nothing has to be set.
        public init(
            format: Format? = nil, bufferDuration: Duration = .milliseconds(200), role: AudioPlayer.Role = .music,
            title: String = "Output", applicationName: String? = nil, nodeName: String? = nil,
            reportsLateCallbacks: Bool = false
        ) {
            self.format = format
            self.bufferDuration = bufferDuration
            self.role = role
            self.title = title
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.reportsLateCallbacks = reportsLateCallbacks
        }
    }

    /// What an output is doing.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// Not started, or stopped.
        case stopped
        /// Its callback is called, or its ring is played; whether it is heard, its session's
        /// `silenceReasons` say.
        case playing
        /// Started, and silent until it plays again: its callback is not called, and its ring keeps
        /// what it holds.
        case paused(reason: PauseReason)
    }

    /// Why an output that was started is silent.
    @nonexhaustive
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// The output device in use was lost. The output does not start again by itself, unless its
        /// session is advised to: see `AudioSession.Configuration.resumesOnReplug`.
        case routeLost
        /// Another session took over. It continues when advised to.
        case interrupted
        /// The session was deactivated.
        case sessionInactive
        /// The connection to PipeWire ended.
        case mediaServicesLost
        /// The stream to PipeWire failed; an event ``Event/failed(_:at:)`` said why.
        case outputFailed
    }

    /// What an output reports, in the order in which it happens.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The value of ``AudioOutput/state`` has changed.
        case stateChanged(State, at: MonotonicTime)
        /// The output device in use is lost and the output silent. Comes before
        /// ``routeChanged(_:)``.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The output's sound goes elsewhere.
        case routeChanged(RouteChange)
        /// So many frames were silent because the ring was empty. Reported within a second.
        case underrun(frames: Int, at: MonotonicTime)
        /// So many calls of the render callback took longer than their frames last; see
        /// ``Configuration/reportsLateCallbacks``.
        case callbackWasLate(count: Int, at: MonotonicTime)
        /// Something went wrong with the stream.
        case failed(AudioSessionError, at: MonotonicTime)
    }

    /// What the real-time side did, for tests and measurements; as of a player.
    public typealias Statistics = AudioPlayer.Statistics

    /// A C function that frees the context of a callback.
    public typealias ContextDestructor = @convention(c) @Sendable (_ context: UnsafeMutableRawPointer?) -> Void

    /// A C function that renders sound on the real-time thread, and its context.
    public struct RenderCallback: Sendable {
        /// Its parameters: the context; interleaved samples to write, which are 0 at the call; how
        /// many frames; channels; frames per second; and when the first frame is heard, in
        /// nanoseconds of `CLOCK_MONOTONIC`.
        ///
        /// It must not lock, allocate, make system calls or wait: the sound of all programs waits
        /// for it. In C it has the type `void (*)(void *, float *, uint32_t, uint32_t, uint32_t,
        /// uint64_t)`. A function written in Swift is possible at the program's own risk, because
        /// Swift may allocate and lock where it does not show.
        public typealias Function =
            @convention(c) @Sendable (
                _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ frames: UInt32,
                _ channels: UInt32, _ sampleRate: UInt32, _ time: UInt64
            ) -> Void

        let function: Function
        let context: CallbackContext

        /// Makes a callback of a C function.
        /// - Parameters:
        ///   - function: is called once a cycle while the output plays and its gate is open.
        ///   - context: is passed to `function`. It has to be valid until `destroyContext` is
        ///     called.
        ///   - destroyContext: is called exactly once for the output that the callback is given to,
        ///     after the last call of `function`: when the last reference to the output is gone and
        ///     its stream has ended. Never on the real-time thread.
        public init(
            _ function: Function, context: UnsafeMutableRawPointer? = nil, destroyContext: ContextDestructor? = nil
        ) {
            self.function = function
            self.context = CallbackContext(context, destroyContext)
        }
    }
}

/// What is passed to a callback. The address only: the program may use what is there on other
/// threads.
struct CallbackContext: Sendable {
    private let address: UInt
    let destroy: AudioOutput.ContextDestructor?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: AudioOutput.ContextDestructor?) {
        address = UInt(bitPattern: pointer)
        self.destroy = destroy
    }

    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
