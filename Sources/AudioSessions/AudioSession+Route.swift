public import AudioSessionCore
import PipeWireGraph

/// The choice of this session's inputs and outputs.
///
/// A choice applies only to this session's streams, and the session manager does not store it.
/// There is one exception: two ports of one card may share a node, as the speaker and the
/// headphones of most laptops do. All programs use the same one of them, so the card is switched
/// for all programs while this session is active.
extension AudioSession {
    // MARK: Snapshots

    /// The reason for the session's current inputs and outputs, as far as the session itself
    /// determines them.
    ///
    /// A stream that the user moved in a mixer uses another port, which ``currentRoute`` shows.
    public nonisolated var routeChoice: RouteChoice {
        let (choice, configuration) = snapshot.withLock { ($0.machine.presentedChoice, $0.machine.configuration) }
        if let choice { return choice }
        let route = manager.currentRoute
        return RouteChoice(
            output: configuration.allowsPlayback
                ? PortChoice(port: route.outputs.first, reason: .systemDefault) : nil,
            input: configuration.allowsRecording
                ? PortChoice(port: route.inputs.first, reason: .systemDefault) : nil)
    }

    /// The output last set by ``setPreferredOutput(_:)``, whether or not it is available now.
    public nonisolated var preferredOutput: PortDescription? { routePreferences.output }

    /// The input last set by ``setPreferredInput(_:)``, whether or not it is available now.
    /// Counterpart of `preferredInput`.
    public nonisolated var preferredInput: PortDescription? { routePreferences.input }

    /// The override set by ``overrideOutputAudioPort(_:)`` that is in force.
    public nonisolated var outputOverride: PortOverride { routePreferences.override }

    private nonisolated var routePreferences: RoutePreferences {
        snapshot.withLock(\.machine.chooser.preferences)
    }

    // MARK: Ports

    /// Sets the preferred output of this session's streams. Apple has no counterpart.
    ///
    /// Running streams are replaced at once by streams to the new port. Some hundredths of a second
    /// are silent meanwhile, and nothing is heard on a third output. While the port is unavailable
    /// the default output is used, and the port is used again when it returns. The preference stays
    /// until it is set again or the session is closed. It has no effect with a long-form
    /// route-sharing policy.
    /// - Parameter port: One of ``AudioSessionManager/availableOutputs``; `nil` for no preference.
    /// - Throws: `resourceNotAvailable` if the port is not available; `incompatibleCategory` if the
    ///   category does not play; `expiredSession` after ``close()``.
    public func setPreferredOutput(_ port: PortDescription?) throws(AudioSessionError) {
        try prefer(port, .output, among: manager.availableOutputs)
    }

    /// Sets the preferred input of this session's streams.
    ///
    /// The microphone of a hands-free headset also moves the output to the headset, unless another
    /// output is preferred. Counterpart of `setPreferredInput(_:)`.
    /// - Parameter port: One of ``AudioSessionManager/availableInputs``; `nil` for no preference.
    /// - Throws: `resourceNotAvailable` if the port is not available; `incompatibleCategory` if the
    ///   category does not record; `expiredSession` after ``close()``.
    public func setPreferredInput(_ port: PortDescription?) throws(AudioSessionError) {
        try prefer(port, .input, among: manager.availableInputs)
    }

    /// Sets or ends the override that plays through the built-in speaker, whatever is connected or
    /// preferred, and records from the built-in microphone unless an input is preferred.
    ///
    /// A call's speaker button uses it, with category playAndRecord. The override ends when the
    /// session is deactivated, when its category changes, and when another output is connected.
    /// Counterpart of `overrideOutputAudioPort(_:)`.
    /// - Parameter override: The override, or `.none` to end it.
    /// - Throws: `incompatibleCategory` for another category than playAndRecord;
    ///   `resourceNotAvailable` if the computer has no speaker; `expiredSession` after ``close()``.
    public func overrideOutputAudioPort(_ override: PortOverride) throws(AudioSessionError) {
        try checkUsable()
        try configuration.validate(override)
        let outputs = manager.availableOutputs
        guard override == .none || machine.chooser.hasSpeaker(among: outputs) else {
            throw AudioSessionError(
                .resourceNotAvailable, rule: "The computer has no built-in speaker that is available.",
                fix: "Use setPreferredOutput with one of these instead: \(outputs.list).")
        }
        open()
        receive(.route(.override(override)))
    }

    // MARK: Data sources

    /// The data sources of the current output; empty if it has only one. Counterpart of
    /// `outputDataSources`.
    public nonisolated var outputDataSources: [DataSource] { dataSources(.output) }
    /// The selected data source of the current output. Counterpart of `outputDataSource`.
    public nonisolated var outputDataSource: DataSource? { selectedSource(.output) }
    /// The data sources of the current input, such as a front and a back microphone; empty if it
    /// has only one. Counterpart of `inputDataSources`.
    public nonisolated var inputDataSources: [DataSource] { dataSources(.input) }
    /// The selected data source of the current input. Counterpart of `inputDataSource`.
    public nonisolated var inputDataSource: DataSource? { selectedSource(.input) }

    /// Selects a data source of the current input, for all programs, while the session is active.
    ///
    /// The route change has reason `routeConfigurationChange`. Counterpart of
    /// `setInputDataSource(_:)`.
    /// - Parameter source: One of ``inputDataSources``; `nil` leaves the choice to the session
    ///   manager.
    /// - Throws: `resourceNotAvailable` if the source is not among them; `incompatibleCategory` if
    ///   the category does not record; `expiredSession` after ``close()``.
    public func setInputDataSource(_ source: DataSource?) throws(AudioSessionError) {
        try select(source, .input)
    }

    /// Selects a data source of the current output, for all programs, while the session is active.
    ///
    /// The route change has reason `routeConfigurationChange`. Counterpart of
    /// `setOutputDataSource(_:)`.
    /// - Parameter source: One of ``outputDataSources``; `nil` leaves the choice to the session
    ///   manager.
    /// - Throws: `resourceNotAvailable` if the source is not among them; `incompatibleCategory` if
    ///   the category does not play; `expiredSession` after ``close()``.
    public func setOutputDataSource(_ source: DataSource?) throws(AudioSessionError) {
        try select(source, .output)
    }
}

extension AudioSessionManager {
    /// Returns the data sources of an available port, and the selected one. Both are empty if the
    /// port has only one.
    /// - Parameter port: One of ``AudioSessionManager/availableInputs`` or
    ///   ``AudioSessionManager/availableOutputs``.
    public func dataSources(of port: PortDescription) -> (sources: [DataSource], selected: DataSource?) {
        graph.dataSources(of: port)
    }
}

// MARK: - Deciding

extension AudioSession {
    /// Returns the `target.object` that a stream of this session requests; `nil` to follow the
    /// default.
    package nonisolated func target(_ direction: PortDirection) -> String? {
        snapshot.withLock { $0.machine.chooser.target(direction) }
    }

    /// Returns the properties with which a new stream of this session requests its port, rate and
    /// latency.
    ///
    /// WirePlumber stores a stream whose target is the current default as one that follows the
    /// default, and forgets the target. It does not do so for streams of a link group, so each
    /// stream gets a group of its own.
    package nonisolated func streamProperties(_ direction: PortDirection) -> [(String, String)] {
        let clock = manager.snapshot.withLock(\.clock)
        let soundProperties = snapshot.withLock(\.machine.soundPreferences).streamProperties(clock)
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
                rule: "The \(direction.rawValue) '\(port?.uid.prefix(80) ?? "")' is not available.",
                fix: "Prefer one of the available ones: \(ports.list).")
        }
        open()
        receive(.route(.prefer(ports.first { $0.uid == port?.uid }, direction)))
    }

    private func select(_ source: DataSource?, _ direction: PortDirection) throws(AudioSessionError) {
        try checkUsable()
        try configuration.require(direction, for: "A data source for the \(direction.rawValue)")
        let sources = dataSources(direction)
        guard source == nil || sources.contains(where: { $0.id == source?.id && $0.port.uid == source?.port.uid })
        else {
            let name = routeChoice[direction]?.port?.name ?? "There is no \(direction.rawValue), so it"
            throw AudioSessionError(
                .resourceNotAvailable, rule: "\(name) has no data source '\(source?.id.prefix(80) ?? "")'.",
                fix: sources.isEmpty
                    ? "Prefer another \(direction.rawValue) instead."
                    : "Select one of its data sources: \(sources.map(\.id).joined(separator: ", ")).")
        }
        open()
        receive(.route(.select(source, direction)))
    }

    private nonisolated func dataSources(_ direction: PortDirection) -> [DataSource] {
        let ports = direction == .output ? manager.availableOutputs : manager.availableInputs
        return routeChoice[direction]?.port?.dataSources(among: ports) ?? []
    }

    /// Returns the data source of the port that was chosen. A card that was requested to switch may
    /// still have to do so.
    private nonisolated func selectedSource(_ direction: PortDirection) -> DataSource? {
        let uid = routeChoice[direction]?.port?.uid
        return dataSources(direction).first { $0.port.uid == uid }
    }
}

extension [PortDescription] {
    fileprivate var list: String { isEmpty ? "there are none" : map(\.uid).joined(separator: ", ") }
}
