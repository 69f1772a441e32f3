extension AudioInput {
    /// The format of an input's samples, as that of an output.
    public typealias Format = AudioOutput.Format
    /// The activity of an input. It is `recording` while the input captures.
    public typealias State = AudioRecorder.State
    /// An event of an input. The captured sound counts as a recording without a file, and
    /// `microphoneSilent` is not sent.
    public typealias Event = AudioRecorder.Event
    /// A part of the captured sound.
    public typealias Buffer = AudioRecorder.Buffer
    /// The level of one channel.
    public typealias Level = AudioRecorder.Level
    /// The activity of the real-time thread.
    public typealias Statistics = AudioRecorder.Statistics

    /// A C function that receives sound on the real-time thread, and its context.
    public struct ReceiveCallback: Sendable {
        /// The type of the function, which reads interleaved samples.
        ///
        /// Its parameters and rules are those of ``AudioOutput/RenderCallback/Function``, except
        /// that the time is when the first frame was at the microphone. While the program mutes its
        /// input, the function may be called several times in a cycle.
        public typealias Function =
            @convention(c) @Sendable (
                _ context: UnsafeMutableRawPointer?, _ samples: UnsafePointer<Float>, _ frames: UInt32,
                _ channels: UInt32, _ sampleRate: UInt32, _ time: UInt64
            ) -> Void

        let function: Function
        let context: CallbackContext

        /// Makes a callback of a C function.
        /// - Parameters:
        ///   - function: The function. It is called in each cycle in which the input captures.
        ///   - context: The first argument of `function`. It must be valid until `destroyContext`
        ///     is called.
        ///   - destroyContext: A function that is called as that of ``AudioOutput/RenderCallback``.
        public init(
            _ function: Function, context: UnsafeMutableRawPointer? = nil,
            destroyContext: AudioOutput.ContextDestructor? = nil
        ) {
            self.function = function
            self.context = CallbackContext(context, destroyContext)
        }
    }

    /// An input's format, its names in mixers, and the effect of a lost microphone.
    ///
    /// An interrupted input waits, and continues after the advice to resume, if the session's
    /// configuration has `resumesAfterInterruption`. Otherwise it stops.
    public struct Configuration: Sendable, Hashable {
        /// The format of the samples. `nil` takes that of the hardware in use when the input is
        /// made, which avoids a conversion; with ``prefersEchoCancelledInput`` mono at 48 kHz.
        public var format: Format?
        /// The name of the stream in mixers.
        public var title: String
        /// The program's name in mixers; `nil` takes the manager's name, or else leaves it to
        /// PipeWire.
        public var applicationName: String?
        /// The `node.name` of the stream.
        public var nodeName: String?
        /// Whether another microphone replaces a lost one, after `microphoneLost` and with
        /// `inputChanged`. If not, the input stops. The other microphone is not captured before
        /// `inputChanged`.
        public var continuesOnOtherInput: Bool
        /// Whether PipeWire's WebRTC canceller removes the echo of the output. The default is
        /// `false`.
        ///
        /// The canceller removes the echo of all sound on the session's output, including that of
        /// other programs. The captured sound is mono, so all channels are equal. Its sample rate
        /// must be 16,000, 32,000 or 48,000, and it is delivered up to 25 ms later. Without
        /// PipeWire's plugin, the start fails with `echoCancellerMissing`, and
        /// ``AudioInput/isEchoCancelledInputAvailable`` is `false`.
        ///
        /// Counterpart of `prefersEchoCancelledInput`.
        public var prefersEchoCancelledInput: Bool

        /// Makes a configuration. Every parameter has a default.
        ///
        /// Each parameter sets the property of its name.
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
