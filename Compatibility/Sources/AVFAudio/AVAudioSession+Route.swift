import AudioSessions
import Foundation

extension AVAudioSession {
    /// Where sound goes, with a category that plays, and comes from, with one that records.
    public var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription((try? backend())?.session.currentRoute ?? RouteDescription(), of: self)
    }

    /// The inputs that could be preferred; none with a category that does not record.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        guard configuration.allowsRecording else { return [] }
        return (try? backend())?.manager.availableInputs.map { AVAudioSessionPortDescription($0, of: self) } ?? []
    }

    /// The input that was preferred, whether or not it is there now.
    public var preferredInput: AVAudioSessionPortDescription? {
        (try? backend())?.session.preferredInput.map { AVAudioSessionPortDescription($0, of: self) }
    }

    /// Prefers an input for this program; `nil` prefers none.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        let port = inPort?.port
        try perform { try await $0.session.setPreferredInput(port) }
    }

    /// Plays through the machine's speaker, whatever is connected, or does so no longer.
    /// - Throws: `incompatibleCategory` for categories other than playAndRecord, `resourceNotAvailable`.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        let value: AudioSessions.PortOverride = portOverride == .speaker ? .speaker : .none
        try perform { try await $0.session.overrideOutputAudioPort(value) }
    }

    // MARK: Data sources

    /// What the input in use can switch between; `nil` if there is only one.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { await $0.session.inputDataSources })
    }
    /// The one in use.
    public var inputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { await $0.session.inputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }
    /// What the output in use can switch between; `nil` if there is only one.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { await $0.session.outputDataSources })
    }
    /// The one in use.
    public var outputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { await $0.session.outputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }

    /// Switches the input in use, for all programs, while the session is active; `nil` leaves it to the system.
    /// - Throws: `resourceNotAvailable`, `incompatibleCategory`.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        let source = dataSource?.source
        try perform { try await $0.session.setInputDataSource(source) }
    }

    /// The same for the output.
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

    /// Whether there is anything to record from.
    public var isInputAvailable: Bool { (try? backend())?.manager.availableInputs.isEmpty == false }
    /// Of the input in use, or as many of them as are preferred; 0 with a category that does not record.
    public var inputNumberOfChannels: Int { least(maximumInputNumberOfChannels, preferredInputNumberOfChannels) }
    /// Of the output in use, or as many of them as are preferred; 0 with a category that does not play.
    public var outputNumberOfChannels: Int { least(maximumOutputNumberOfChannels, preferredOutputNumberOfChannels) }
    /// All that the input in use has.
    public var maximumInputNumberOfChannels: Int { currentRoute.inputs.first?.port.channels.count ?? 0 }
    /// All that the output in use has.
    public var maximumOutputNumberOfChannels: Int { currentRoute.outputs.first?.port.channels.count ?? 0 }

    private func least(_ maximum: Int, _ preferred: Int) -> Int {
        preferred == 0 ? maximum : min(maximum, preferred)
    }
}
