extension AudioInput {
    /// Frames per second and channels; see ``AudioOutput/Format``.
    public typealias Format = AudioOutput.Format
    /// What an input is doing. It is `recording` while it captures.
    public typealias State = AudioRecorder.State
    /// What an input reports. What it captured is a recording without a file; `microphoneSilent` is
    /// not sent.
    public typealias Event = AudioRecorder.Event
    /// A piece of what is captured.
    public typealias Buffer = AudioRecorder.Buffer
    /// How loud one channel is.
    public typealias Level = AudioRecorder.Level
    /// What the real-time side did.
    public typealias Statistics = AudioRecorder.Statistics

    /// A C function that takes sound on the real-time thread, and its context.
    public struct ReceiveCallback: Sendable {
        /// Its parameters are those of ``AudioOutput/RenderCallback/Function``, but that it reads
        /// the samples, and that the time is when the first frame was at the microphone. Its rules
        /// are the same. While the program mutes its input, a cycle may take several calls.
        public typealias Function =
            @convention(c) @Sendable (
                _ context: UnsafeMutableRawPointer?, _ samples: UnsafePointer<Float>, _ frames: UInt32,
                _ channels: UInt32, _ sampleRate: UInt32, _ time: UInt64
            ) -> Void

        let function: Function
        let context: CallbackContext

        /// Makes a callback of a C function.
        /// - Parameters:
        ///   - function: is called in each cycle in which the input captures.
        ///   - context: is passed to `function`. It has to be valid until `destroyContext` is
        ///     called.
        ///   - destroyContext: as that of ``AudioOutput/RenderCallback``.
        public init(
            _ function: Function, context: UnsafeMutableRawPointer? = nil,
            destroyContext: AudioOutput.ContextDestructor? = nil
        ) {
            self.function = function
            self.context = CallbackContext(context, destroyContext)
        }
    }

    /// How an input captures, and its names in mixers.
    ///
    /// An interrupted input waits, and continues after the advice to resume, if the session's
    /// configuration has `resumesAfterInterruption`. Otherwise it stops.
    public struct Configuration: Sendable, Hashable {
        /// `nil` takes the format of the hardware in use when the input is made, which spares a
        /// conversion; with ``prefersEchoCancelledInput`` it takes mono at 48 kHz.
        public var format: Format?
        /// How the stream shows in mixers.
        public var title: String
        /// How the program shows in mixers; `nil` takes the manager's, else leaves it to PipeWire.
        public var applicationName: String?
        /// `node.name` of the stream.
        public var nodeName: String?
        /// Whether another microphone takes the place of one that is lost, after `microphoneLost`
        /// and with `inputChanged`. If not, the input stops. What the other one hears before
        /// `inputChanged` is never captured.
        public var continuesOnOtherInput: Bool
        /// Whether PipeWire's WebRTC canceller removes the echo of the output. Defaults to `false`.
        ///
        /// The echo is that of all sound of the output that the session plays to, also of other
        /// programs. What is captured is mono, so each channel has the same. Its rate is 16000,
        /// 32000 or 48000 frames per second, and it is delivered up to 25 ms later. Without
        /// PipeWire's plugin the start fails with `echoCancellerMissing`;
        /// ``AudioInput/isEchoCancelledInputAvailable`` is `false` then.
        ///
        /// Counterpart of `prefersEchoCancelledInput`.
        public var prefersEchoCancelledInput: Bool

        /// A configuration of which nothing has to be set.
        public init(
            format: Format? = nil, title: String = "Input", applicationName: String? = nil, nodeName: String? = nil,
            continuesOnOtherInput: Bool = true, prefersEchoCancelledInput: Bool = false
        ) {
            self.format = format
            self.title = title
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.continuesOnOtherInput = continuesOnOtherInput
            self.prefersEchoCancelledInput = prefersEchoCancelledInput
        }
    }
}
