import AudioSessions
import Foundation

extension AVAudioSession {
    /// The outputs and inputs in use. Outputs require a category that plays, inputs one that
    /// records.
    public var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription((try? backend())?.session.currentRoute ?? RouteDescription(), of: self)
    }

    /// The inputs that can be preferred; empty if the category does not record.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        guard configuration.allowsRecording else { return [] }
        return (try? backend())?.manager.availableInputs.map { AVAudioSessionPortDescription($0, of: self) } ?? []
    }

    /// The preferred input, even while it is not available.
    public var preferredInput: AVAudioSessionPortDescription? {
        (try? backend())?.session.preferredInput.map { AVAudioSessionPortDescription($0, of: self) }
    }

    /// Sets the preferred input of this program.
    ///
    /// - Parameter inPort: the input; `nil` removes the preference.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        let port = inPort?.port
        try perform { try await $0.session.setPreferredInput(port) }
    }

    /// Routes the output to the built-in speaker regardless of connected devices, or stops doing
    /// so.
    ///
    /// - Parameter portOverride: whether the speaker is used.
    /// - Throws: `incompatibleCategory` for categories other than playAndRecord,
    ///   `resourceNotAvailable`.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        let value: AudioSessions.PortOverride = portOverride == .speaker ? .speaker : .none
        try perform { try await $0.session.overrideOutputAudioPort(value) }
    }

    // MARK: Data sources

    /// The data sources of the input in use; `nil` if there is only one.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { $0.session.inputDataSources })
    }
    /// The active data source of the input in use.
    public var inputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { $0.session.inputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }
    /// The data sources of the output in use; `nil` if there is only one.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { $0.session.outputDataSources })
    }
    /// The active data source of the output in use.
    public var outputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { $0.session.outputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }

    /// Switches the data source of the input in use, for all programs, while the session is active.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        let source = dataSource?.source
        try perform { try await $0.session.setInputDataSource(source) }
    }

    /// Switches the data source of the output in use, for all programs, while the session is
    /// active.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        let source = dataSource?.source
        try perform { try await $0.session.setOutputDataSource(source) }
    }

    private func described(_ sources: [DataSource]?) -> [AVAudioSessionDataSourceDescription]? {
        guard let sources, !sources.isEmpty else { return nil }
        return sources.map(AVAudioSessionDataSourceDescription.init)
    }

    // MARK: Channels

    /// Whether there is an input to record from.
    public var isInputAvailable: Bool { (try? backend())?.manager.availableInputs.isEmpty == false }
    /// The number of channels of the input in use, limited to the preferred number. 0 if the
    /// category does not record.
    public var inputNumberOfChannels: Int { least(maximumInputNumberOfChannels, preferredInputNumberOfChannels) }
    /// The number of channels of the output in use, limited to the preferred number. 0 if the
    /// category does not play.
    public var outputNumberOfChannels: Int { least(maximumOutputNumberOfChannels, preferredOutputNumberOfChannels) }
    /// The number of all channels of the input in use.
    public var maximumInputNumberOfChannels: Int { currentRoute.inputs.first?.port.channels.count ?? 0 }
    /// The number of all channels of the output in use.
    public var maximumOutputNumberOfChannels: Int { currentRoute.outputs.first?.port.channels.count ?? 0 }

    private func least(_ maximum: Int, _ preferred: Int) -> Int {
        preferred == 0 ? maximum : min(maximum, preferred)
    }
}
