@_spi(Compatibility) package import AudioSessions
import Dispatch
public import Foundation

/// The program's audio session, with the interface of Apple's `AVAudioSession`, for existing code.
///
/// It wraps one `AudioSession` of the library with its own connection to PipeWire. New programs
/// should use `AudioSession`: its calls do not block, its events are typed, and a program may have
/// several.
///
/// Calls block as on iOS, and may be made on any thread, including the main thread. If PipeWire
/// does not answer, they fail with `mediaServicesFailed` after at most a second. A change of the
/// configuration may wait for another second, while another thread changes it. In a handler on
/// PipeWire's own thread (`AudioSession.observe`) they fail with `unspecified`, and also in an
/// overridden `activate(options:)` or `deactivate(options:)` that a completion handler waits for.
/// `Docs/ComingFromAVAudioSession.md` states for each symbol whether it works.
///
/// Tests may subclass it. Calls that a subclass does not override concern the program's session,
/// which connects to PipeWire at the first of them.
// Unchecked, because the compiler checks only final classes. Its property is a Sendable constant.
open class AVAudioSession: NSObject, @unchecked Sendable {
    private static let instance = Locked<AVAudioSession?>(nil)
    let implementation: SessionImplementation

    /// The program's session. The first call starts to post notifications.
    open class func sharedInstance() -> AVAudioSession {
        let session = shared
        session.start()
        return session
    }

    /// The program's session, without connecting it.
    private static var shared: AVAudioSession {
        instance.withLock { instance in
            if let instance { return instance }
            let session = AVAudioSession(connect: { waits in
                try await AudioSessionManager.connect(AVAudioSession.configuration(waitsForPipeWire: waits))
            })
            instance = session
            return session
        }
    }

    /// Creates another object for the program's session, as on iOS, where a program has only one.
    ///
    /// Notifications are posted for the object that ``sharedInstance()`` returns.
    public override init() {
        implementation = AVAudioSession.shared.implementation
        super.init()
    }

    /// Replaces the shared session, for tests.
    package static func share(_ session: AVAudioSession?) { instance.withLock { $0 = session } }

    /// What is known about the program's playback. Reading it does not connect the session.
    package static var playback: ProgramPlayback { shared.implementation.playback }

    /// The manager of the program's session; `nil` as long as it is not connected. Reading it does
    /// not connect it.
    package static var connectedManager: AudioSessionManager? {
        instance.withLock(\.self)?.implementation.connectedManager
    }

    package init(connect: @escaping @Sendable (_ waitsForPipeWire: Bool) async throws -> AudioSessionManager) {
        implementation = SessionImplementation(connect: connect)
        super.init()
        implementation.post(for: self)
    }

    // MARK: Configuration

    /// Sets the category. Clears the options, and resets the mode and the route-sharing policy if
    /// they are illegal with it.
    ///
    /// - Parameter category: the new category.
    /// - Throws: `badParam` with the violated rule in `localizedDescription`. For an active
    ///   session, also the errors of ``setActive(_:options:)``. After an error, the old
    ///   configuration remains.
    open func setCategory(_ category: Category) throws { try implementation.setCategory(category) }

    /// Sets category and options. Resets the mode and the route-sharing policy if these are illegal
    /// with them.
    ///
    /// - Parameters:
    ///   - category: the new category.
    ///   - options: the new options.
    /// - Throws: the errors of ``setCategory(_:)``.
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try implementation.setCategory(category, options: options)
    }

    /// Sets category, mode and options.
    ///
    /// - Parameters:
    ///   - category: the new category.
    ///   - mode: the new mode.
    ///   - options: the new options.
    /// - Throws: the errors of ``setCategory(_:)``.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try implementation.setCategory(category, mode: mode, options: options)
    }

    /// Sets category, mode, route-sharing policy and options.
    ///
    /// - Parameters:
    ///   - category: the new category.
    ///   - mode: the new mode.
    ///   - policy: the new route-sharing policy.
    ///   - options: the new options.
    /// - Throws: the errors of ``setCategory(_:)``.
    open func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws { try implementation.setCategory(category, mode: mode, policy: policy, options: options) }

    /// Sets the mode alone.
    ///
    /// - Parameter mode: the new mode.
    /// - Throws: the errors of ``setCategory(_:)``.
    open func setMode(_ mode: Mode) throws { try implementation.setMode(mode) }

    /// The category that was set last.
    open var category: Category { implementation.category }
    /// The mode that was set last.
    open var mode: Mode { implementation.mode }
    /// The options that were set last, and those that the category and the mode imply.
    open var categoryOptions: CategoryOptions { implementation.categoryOptions }
    /// The route-sharing policy that was set last.
    open var routeSharingPolicy: RouteSharingPolicy { implementation.routeSharingPolicy }
    /// The categories of this system. Those that record are included only if there is a microphone.
    open var availableCategories: [Category] { implementation.availableCategories }
    /// All modes that at least one category allows.
    open var availableModes: [Mode] { implementation.availableModes }

    // MARK: Activation

    /// Activates or deactivates the session, and returns after this is done.
    ///
    /// Deactivation stops the players and recorders that still run. As on iOS 26, it never fails
    /// with `isBusy`. Without PipeWire it succeeds.
    ///
    /// - Parameters:
    ///   - active: whether the session is activated.
    ///   - options: whether deactivation notifies interrupted sessions that they may resume.
    /// - Throws: `insufficientPriority`, `cannotInterruptOthers`, `mediaServicesFailed`.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        try implementation.setActive(active, options: options)
    }

    /// Activates or deactivates the session like ``setActive(_:options:)``, without options.
    ///
    /// A method of its own, as on iOS, for protocols of programs that declare it.
    open func setActive(_ active: Bool) throws { try setActive(active, options: []) }

    /// Activates the session like ``setActive(_:options:)``, without blocking.
    ///
    /// - Returns: `true`.
    @discardableResult
    open func activate(options: ActivationOptions = []) async throws -> Bool {
        try await implementation.activate(options: options)
    }

    /// Deactivates the session like ``setActive(_:options:)``, without blocking.
    ///
    /// - Returns: `true`.
    @discardableResult
    open func deactivate(options: DeactivationOptions = []) async throws -> Bool {
        try await implementation.deactivate(options: options)
    }

    /// Activates the session like ``activate(options:)``, and reports the result to a handler.
    ///
    /// - Parameters:
    ///   - options: no options.
    ///   - handler: called on any thread with whether the session is active, and the error.
    open func activate(
        options: ActivationOptions, completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Self.report(to: handler) { try await self.activate(options: options) }
    }

    /// Deactivates the session like ``deactivate(options:)``, and reports the result to a handler.
    ///
    /// - Parameters:
    ///   - options: whether interrupted sessions are notified that they may resume.
    ///   - handler: called on any thread with whether the session is inactive, and the error.
    open func deactivate(
        options: DeactivationOptions, completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Self.report(to: handler) { try await self.deactivate(options: options) }
    }

    private static func report(
        to handler: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> Bool
    ) {
        BlockingCalls.begin {
            let result: Result<Bool, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            // Not on this thread, because calls that block in the handler wait for it.
            DispatchQueue.global().async {
                switch result {
                case .success(let isDone): handler(isDone, nil)
                case .failure(let error): handler(false, error)
                }
            }
        }
    }

    // MARK: Other audio

    /// Whether another program plays audio.
    open var isOtherAudioPlaying: Bool { implementation.isOtherAudioPlaying }
    /// Whether another program plays audio that does not mix.
    open var secondaryAudioShouldBeSilencedHint: Bool { implementation.secondaryAudioShouldBeSilencedHint }
    /// Always `granted`, because Linux has no permission dialog. PipeWire enforces the rules of a
    /// sandbox.
    open var recordPermission: RecordPermission { .granted }
    /// Calls `response` with `true` before it returns.
    ///
    /// - Parameter response: the completion handler.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

    // MARK: Route

    /// The outputs and inputs in use. Outputs require a category that plays, inputs one that
    /// records.
    open var currentRoute: AVAudioSessionRouteDescription { implementation.currentRoute }
    /// The inputs that can be preferred; empty if the category does not record.
    open var availableInputs: [AVAudioSessionPortDescription]? { implementation.availableInputs }
    /// The preferred input, even while it is not available.
    open var preferredInput: AVAudioSessionPortDescription? { implementation.preferredInput }
    /// Sets the preferred input of this program.
    ///
    /// - Parameter inPort: the input; `nil` removes the preference.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        try implementation.setPreferredInput(inPort)
    }

    /// Routes the output to the built-in speaker regardless of connected devices, or stops doing
    /// so. On a computer without a built-in speaker, the route stays as it is.
    ///
    /// - Parameter portOverride: whether the speaker is used.
    /// - Throws: `incompatibleCategory` for categories other than playAndRecord,
    ///   `mediaServicesFailed`.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        try implementation.overrideOutputAudioPort(portOverride)
    }

    /// The data sources of the input in use; `nil` if there is only one.
    open var inputDataSources: [AVAudioSessionDataSourceDescription]? { implementation.inputDataSources }
    /// The active data source of the input in use.
    open var inputDataSource: AVAudioSessionDataSourceDescription? { implementation.inputDataSource }
    /// The data sources of the output in use; `nil` if there is only one.
    open var outputDataSources: [AVAudioSessionDataSourceDescription]? { implementation.outputDataSources }
    /// The active data source of the output in use.
    open var outputDataSource: AVAudioSessionDataSourceDescription? { implementation.outputDataSource }
    /// Switches the data source of the input in use, for all programs, while the session is active.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    open func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try implementation.setInputDataSource(dataSource)
    }

    /// Switches the data source of the output in use, for all programs, while the session is
    /// active.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    open func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try implementation.setOutputDataSource(dataSource)
    }

    /// Whether there is an input to record from.
    open var isInputAvailable: Bool { implementation.isInputAvailable }
    /// The number of channels of the input in use, limited to the preferred number. 0 if the
    /// category does not record.
    open var inputNumberOfChannels: Int { implementation.inputNumberOfChannels }
    /// The number of channels of the output in use, limited to the preferred number. 0 if the
    /// category does not play.
    open var outputNumberOfChannels: Int { implementation.outputNumberOfChannels }
    /// The number of all channels of the input in use.
    open var maximumInputNumberOfChannels: Int { implementation.maximumInputNumberOfChannels }
    /// The number of all channels of the output in use.
    open var maximumOutputNumberOfChannels: Int { implementation.maximumOutputNumberOfChannels }

    // MARK: Hardware

    /// The rate of PipeWire's graph in frames per second.
    open var sampleRate: Double { implementation.sampleRate }
    /// The duration of one cycle of PipeWire's graph in seconds.
    open var ioBufferDuration: TimeInterval { implementation.ioBufferDuration }
    /// The latency from the microphone to the program in seconds.
    open var inputLatency: TimeInterval { implementation.inputLatency }
    /// The latency from the program to the ear in seconds.
    open var outputLatency: TimeInterval { implementation.outputLatency }
    /// The volume of the output in use, 0 to 1 on the scale of the desktop's sliders. Only the user
    /// sets it.
    open var outputVolume: Float { implementation.outputVolume }
    /// The gain of the input in use, 0 to 1.
    open var inputGain: Float { implementation.inputGain }
    /// Whether the gain of the input in use can be set.
    open var isInputGainSettable: Bool { implementation.isInputGainSettable }
    /// Sets the gain of the input in use, for all programs.
    ///
    /// - Parameter gain: the gain, 0 to 1.
    /// - Throws: `resourceNotAvailable` if the input has no gain, `incompatibleCategory`.
    open func setInputGain(_ gain: Float) throws { try implementation.setInputGain(gain) }

    // MARK: Preferences

    /// Prefers a rate of PipeWire's graph.
    ///
    /// - Parameter sampleRate: whole frames per second.
    /// - Throws: `badParam` if the value is not a valid rate.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        try implementation.setPreferredSampleRate(sampleRate)
    }
    /// The preferred rate in frames per second; 0 without a preference.
    open var preferredSampleRate: Double { implementation.preferredSampleRate }
    /// Prefers a maximum duration of the cycles of PipeWire's graph.
    ///
    /// - Parameter duration: the duration in seconds.
    /// - Throws: `badParam` if the duration is negative or longer than a second.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        try implementation.setPreferredIOBufferDuration(duration)
    }
    /// The preferred duration in seconds; 0 without a preference.
    open var preferredIOBufferDuration: TimeInterval { implementation.preferredIOBufferDuration }
    /// Prefers a number of channels of the input in use.
    ///
    /// - Parameter count: the number of channels.
    /// - Throws: `badParam` if the input has fewer channels, `incompatibleCategory`.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try implementation.setPreferredInputNumberOfChannels(count)
    }
    /// The preferred number of input channels; 0 without a preference.
    open var preferredInputNumberOfChannels: Int { implementation.preferredInputNumberOfChannels }
    /// Prefers a number of channels of the output in use.
    ///
    /// - Parameter count: the number of channels.
    /// - Throws: `badParam` if the output has fewer channels, `incompatibleCategory`.
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try implementation.setPreferredOutputNumberOfChannels(count)
    }
    /// The preferred number of output channels; 0 without a preference.
    open var preferredOutputNumberOfChannels: Int { implementation.preferredOutputNumberOfChannels }
}
