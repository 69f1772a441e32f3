import AudioSessions
import Foundation

extension SessionImplementation {
    var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription((try? backend())?.session.currentRoute ?? RouteDescription(), of: self)
    }

    var availableInputs: [AVAudioSessionPortDescription]? {
        guard configuration.allowsRecording else { return [] }
        return (try? backend())?.manager.availableInputs.map { AVAudioSessionPortDescription($0, of: self) } ?? []
    }

    var preferredInput: AVAudioSessionPortDescription? {
        (try? backend())?.session.preferredInput.map { AVAudioSessionPortDescription($0, of: self) }
    }

    func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        let port = try inPort.map { try described($0) }
        try perform { try await $0.session.setPreferredInput(port) }
    }

    func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws {
        let value: AudioSessions.PortOverride = portOverride == .speaker ? .speaker : .none
        do {
            try perform { try await $0.session.overrideOutputAudioPort(value) }
        } catch let error as NSError where error.code == AVAudioSession.ErrorCode.resourceNotAvailable.rawValue {
            // Every device with iOS has a speaker. So programs call this among the calls that begin
            // a conversation, all of which an error would end.
        }
    }

    /// The port of a description; for one of a test, the available input with its identifier.
    private func described(_ description: AVAudioSessionPortDescription) throws -> PortDescription {
        if let port = description.port { return port }
        let uid = description.uid
        guard let port = (try? backend())?.manager.availableInputs.first(where: { $0.uid == uid }) else {
            throw NSError(.resourceNotAvailable, "No input has the identifier '\(uid)'. Use one of availableInputs.")
        }
        return port
    }

    // MARK: Data sources

    var inputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { $0.session.inputDataSources })
    }
    var inputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { $0.session.inputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }
    var outputDataSources: [AVAudioSessionDataSourceDescription]? {
        described(try? perform { $0.session.outputDataSources })
    }
    var outputDataSource: AVAudioSessionDataSourceDescription? {
        (try? perform { $0.session.outputDataSource })?.map(AVAudioSessionDataSourceDescription.init)
    }

    func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        let source = dataSource?.source
        try perform { try await $0.session.setInputDataSource(source) }
    }

    func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        let source = dataSource?.source
        try perform { try await $0.session.setOutputDataSource(source) }
    }

    /// Checks that a port is in use, or is a data source of the one in use, unless the category
    /// excludes its direction.
    func checkInUse(_ port: PortDescription) throws {
        let session = try (backend() as Backend).session
        let (isAllowed, ports, sources) =
            port.direction == .input
            ? (configuration.allowsRecording, session.currentRoute.inputs, session.inputDataSources)
            : (configuration.allowsPlayback, session.currentRoute.outputs, session.outputDataSources)
        guard isAllowed, !(ports + sources.map(\.port)).contains(where: { $0.uid == port.uid }) else { return }
        throw NSError(
            .resourceNotAvailable, "'\(port.name)' is not in use. Use a port of the session's current route.")
    }

    private func described(_ sources: [DataSource]?) -> [AVAudioSessionDataSourceDescription]? {
        guard let sources, !sources.isEmpty else { return nil }
        return sources.map(AVAudioSessionDataSourceDescription.init)
    }

    // MARK: Channels

    var isInputAvailable: Bool { (try? backend())?.manager.availableInputs.isEmpty == false }
    var inputNumberOfChannels: Int { least(maximumInputNumberOfChannels, preferredInputNumberOfChannels) }
    var outputNumberOfChannels: Int { least(maximumOutputNumberOfChannels, preferredOutputNumberOfChannels) }
    var maximumInputNumberOfChannels: Int { currentRoute.inputs.first?.port?.channels.count ?? 0 }
    var maximumOutputNumberOfChannels: Int { currentRoute.outputs.first?.port?.channels.count ?? 0 }

    private func least(_ maximum: Int, _ preferred: Int) -> Int {
        preferred == 0 ? maximum : min(maximum, preferred)
    }
}
