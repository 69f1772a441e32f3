public import AudioSessionCore
import PipeWireGraph

/// Choosing where this session's sound goes and comes from.
///
/// What is chosen is for this session's streams only, and PipeWire's session manager does not remember it. There is one
/// exception, which the hardware makes: two ports of one card that share a node (the speaker and the headphones of most
/// laptops) are used by all programs or by none, so the card is switched for everybody, while this session is active.
extension AudioSession {
    // MARK: Snapshots

    /// Why sound goes where it goes, as far as the session has a say in it. A stream that the user has moved by hand goes
    /// elsewhere: ``currentRoute`` tells where.
    public nonisolated var routeChoice: RouteChoice {
        let snapshot = snapshot.withLock(\.self)
        if let choice = snapshot.choice { return choice }
        let route = manager.currentRoute
        let configuration = snapshot.configuration
        return RouteChoice(
            output: configuration.allowsPlayback
                ? PortChoice(port: route.outputs.first, reason: .systemDefault) : nil,
            input: configuration.allowsRecording
                ? PortChoice(port: route.inputs.first, reason: .systemDefault) : nil)
    }

    /// What ``setPreferredOutput(_:)`` was last given, whether or not it is there now.
    public nonisolated var preferredOutput: PortDescription? { snapshot.withLock(\.preferences.output) }

    /// What ``setPreferredInput(_:)`` was last given, whether or not it is there now.
    public nonisolated var preferredInput: PortDescription? { snapshot.withLock(\.preferences.input) }

    /// What is in force of ``overrideOutputAudioPort(_:)``.
    public nonisolated var outputOverride: PortOverride { snapshot.withLock(\.preferences.override) }

    // MARK: Ports

    /// Prefers an output for this session's streams; `nil` prefers none. Apple has no counterpart.
    ///
    /// Streams that run move at once, by another stream in their place: a few hundredths of a second are silent, and
    /// nothing is heard elsewhere. While the port is gone the machine's default is used, and the port again when it is
    /// back. It is kept until it is set anew or the session is closed.
    /// - Parameter port: one of ``AudioSessionManager/availableOutputs``.
    /// - Throws: `resourceNotAvailable` if it is not among them; `incompatibleCategory` for a category that does not play;
    ///   `expiredSession` after ``close()``.
    public func setPreferredOutput(_ port: PortDescription?) async throws(AudioSessionError) {
        try prefer(port, .output, among: manager.availableOutputs)
    }

    /// Prefers an input for this session's streams; `nil` prefers none. With the microphone of a hands-free headset the
    /// output goes there as well, unless another one is preferred.
    ///
    /// Counterpart of `setPreferredInput(_:)`.
    /// - Parameter port: one of ``AudioSessionManager/availableInputs``.
    /// - Throws: what ``setPreferredOutput(_:)`` throws; `incompatibleCategory` for a category that does not record.
    public func setPreferredInput(_ port: PortDescription?) async throws(AudioSessionError) {
        try prefer(port, .input, among: manager.availableInputs)
    }

    /// Plays through the machine's speaker, and records from its own microphone, whatever is connected or preferred; or
    /// does so no longer. For category playAndRecord: that is what a call's speaker button does.
    ///
    /// It ends by itself when the session is deactivated, when its category changes, and when another output is
    /// connected. Counterpart of `overrideOutputAudioPort(_:)`.
    /// - Throws: `incompatibleCategory` for other categories; `resourceNotAvailable` if there is no speaker;
    ///   `expiredSession` after ``close()``.
    public func overrideOutputAudioPort(_ override: PortOverride) async throws(AudioSessionError) {
        try checkUsable()
        try configuration.validate(override)
        let outputs = manager.availableOutputs
        guard override == .none || machine.chooser.hasSpeaker(among: outputs) else {
            throw AudioSessionError(
                .resourceNotAvailable, rule: "The machine has no speaker of its own that could be used now.",
                fix: "Prefer one of its outputs instead: \(outputs.list).")
        }
        open()
        receive(.route(.override(override)))
    }

    // MARK: Data sources

    /// What the output in use can switch between; empty if there is only one.
    public var outputDataSources: [DataSource] { dataSources(.output).sources }
    /// The one that is in use.
    public var outputDataSource: DataSource? { dataSources(.output).selected }
    /// What the input in use can switch between, such as the front and the back microphone; empty if there is only one.
    public var inputDataSources: [DataSource] { dataSources(.input).sources }
    /// The one that is in use.
    public var inputDataSource: DataSource? { dataSources(.input).selected }

    /// Switches the input in use to another of its data sources, for all programs, while the session is active; `nil`
    /// leaves it to the system. The change of routes has reason `routeConfigurationChange`.
    /// - Parameter source: one of ``inputDataSources``.
    /// - Throws: `resourceNotAvailable` if it is not; `incompatibleCategory` for a category that does not record;
    ///   `expiredSession` after ``close()``.
    public func setInputDataSource(_ source: DataSource?) async throws(AudioSessionError) {
        try select(source, .input)
    }

    /// The same for the output.
    /// - Parameter source: one of ``outputDataSources``.
    /// - Throws: as ``setInputDataSource(_:)``, with a category that does not play.
    public func setOutputDataSource(_ source: DataSource?) async throws(AudioSessionError) {
        try select(source, .output)
    }
}

extension AudioSessionManager {
    /// What an available port can switch between, and which of them is in use; nothing if there is only one.
    public func dataSources(of port: PortDescription) -> (sources: [DataSource], selected: DataSource?) {
        graph.dataSources(of: port)
    }
}

// MARK: - Deciding

extension AudioSession {
    /// What a stream of this session is to ask for as `target.object`; `nil`: it follows the machine's default.
    package nonisolated func target(_ direction: PortDirection) -> String? {
        snapshot.withLock { direction == .output ? $0.outputTarget : $0.inputTarget }
    }

    /// The properties by which a stream of this session asks for its output or input, and for its rate and latency. They
    /// are read when it is made.
    ///
    /// A stream whose wish is the default of this moment would be noted down by WirePlumber as one that follows the default,
    /// and its wish be forgotten for good. Those that belong to a link group it leaves alone, so each is one of its own.
    package nonisolated func streamProperties(
        _ direction: PortDirection, _ clock: ClockSettings
    ) -> [(String, String)] {
        let soundProperties = snapshot.withLock(\.soundPreferences).streamProperties(clock)
        guard let target = target(direction) else { return soundProperties }
        let group = "audio-session-" + String(UInt64.random(in: 0...(.max)), radix: 16)
        return soundProperties + [("target.object", target), ("node.link-group", group)]
    }

    private func prefer(
        _ port: PortDescription?, _ direction: PortDirection, among ports: [PortDescription]
    ) throws(AudioSessionError) {
        try checkUsable()
        try configuration.require(direction, for: "A preferred \(direction.rawValue)")
        guard port == nil || ports.contains(where: { $0.uid == port?.uid }) else {
            throw AudioSessionError(
                .resourceNotAvailable,
                rule: "There is no \(direction.rawValue) '\(port?.uid.prefix(80) ?? "")' that could be used now.",
                fix: "Prefer one of those that there are: \(ports.list).")
        }
        open()
        receive(.route(.prefer(ports.first { $0.uid == port?.uid }, direction)))
    }

    private func select(_ source: DataSource?, _ direction: PortDirection) throws(AudioSessionError) {
        try checkUsable()
        try configuration.require(direction, for: "A data source for the \(direction.rawValue)")
        let sources = dataSources(direction).sources
        guard source == nil || sources.contains(where: { $0.id == source?.id && $0.port.uid == source?.port.uid })
        else {
            let name = routeChoice[direction]?.port?.name ?? "There is no \(direction.rawValue), so it"
            throw AudioSessionError(
                .resourceNotAvailable, rule: "\(name) has no data source '\(source?.id.prefix(80) ?? "")'.",
                fix: sources.isEmpty
                    ? "Prefer another \(direction.rawValue) instead."
                    : "Select one of those that it has: \(sources.map(\.id).joined(separator: ", ")).")
        }
        open()
        receive(.route(.select(source, direction)))
    }

    private func dataSources(_ direction: PortDirection) -> (sources: [DataSource], selected: DataSource?) {
        guard let port = routeChoice[direction]?.port else { return ([], nil) }
        let (sources, selected) = manager.assumeIsolated { $0.graph.dataSources(of: port) }
        // A card that was asked to switch has yet to do so.
        return (sources, sources.first { $0.port.uid == port.uid } ?? selected)
    }
}

extension [PortDescription] {
    fileprivate var list: String { isEmpty ? "there are none" : map(\.uid).joined(separator: ", ") }
}
