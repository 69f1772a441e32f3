import AudioSessions
import Foundation

extension SessionImplementation {
    func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

    func setCategory(_ category: Category, options: CategoryOptions) throws {
        let category = try known(category)
        try configure {
            let old = configuration
            let mode = category.legalModes.contains(old.mode) ? old.mode : .default
            var new = old
            new.setCategory(
                category, mode: mode, policy: old.routeSharingPolicy, options: try known(options, with: category))
            let isPolicyIllegal = new.violations.contains {
                if case .routeSharingPolicy = $0.subject { true } else { false }
            }
            try apply(category, mode, isPolicyIllegal ? .default : old.routeSharingPolicy, options)
        }
    }

    func setCategory(_ category: Category, mode: Mode, options: CategoryOptions) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        let policy = AudioSessionConfiguration.RouteSharingPolicy(rawValue: policy.rawValue) ?? .default
        try configure { try apply(known(category), known(mode), policy, options) }
    }

    func setMode(_ mode: Mode) throws {
        try configure {
            let old = configuration
            try apply(old.category, known(mode), old.routeSharingPolicy, state.withLock(\.options))
        }
    }

    var category: Category { Category(rawValue: configuration.category.rawValue) }
    var mode: Mode { Mode(rawValue: configuration.mode.rawValue) }
    var categoryOptions: CategoryOptions {
        let (configuration, options) = state.withLock { ($0.configuration, $0.options) }
        let implied = configuration.category == .ambient ? CategoryOptions.mixWithOthers : []
        let ofMode = CategoryOptions(rawValue: configuration.mode.impliedOptions.rawValue)
        return options.union(implied).union(ofMode)
    }
    var routeSharingPolicy: RouteSharingPolicy {
        RouteSharingPolicy(rawValue: configuration.routeSharingPolicy.rawValue) ?? .default
    }

    var availableCategories: [Category] {
        let canRecord = isInputAvailable
        return AudioSessionConfiguration.Category.allCases.filter { canRecord || !$0.allowsRecording }
            .map { Category(rawValue: $0.rawValue) }
    }

    var availableModes: [Mode] {
        AudioSessionConfiguration.Mode.allCases.map { Mode(rawValue: $0.rawValue) }
    }

    var configuration: AudioSessionConfiguration { state.withLock(\.configuration) }

    // MARK: Setting

    /// Applies a change of the configuration. Without PipeWire, the session is created with it
    /// later. Called in ``configure(_:)`` only.
    private func apply(
        _ category: AudioSessionConfiguration.Category, _ mode: AudioSessionConfiguration.Mode,
        _ policy: AudioSessionConfiguration.RouteSharingPolicy, _ options: CategoryOptions
    ) throws {
        var new = configuration
        new.setCategory(category, mode: mode, policy: policy, options: try known(options, with: category))
        do { try new.validate() } catch { throw NSError(error) }
        // A connection attempt in progress may end with a session.
        _ = try? backend() as Backend
        let isStored = state.withLock { state in
            // Checked under the same lock, because PipeWire may start now.
            if case .made = state.connection { return false }
            (state.configuration, state.options) = (new, options)
            return true
        }
        guard !isStored else { return }
        try perform { [new] in try await $0.session.configure(new) }
        state.withLock { ($0.configuration, $0.options) = (new, options) }
    }

    private func known(_ category: Category) throws -> AudioSessionConfiguration.Category {
        do { return try .init(named: category.rawValue) } catch { throw NSError(error) }
    }

    private func known(_ mode: Mode) throws -> AudioSessionConfiguration.Mode {
        do { return try .init(named: mode.rawValue) } catch { throw NSError(error) }
    }

    /// Removes the options that only concern Apple's devices and have no effect here.
    private func known(
        _ options: CategoryOptions, with category: AudioSessionConfiguration.Category
    ) throws -> AudioSessionConfiguration.CategoryOptions {
        let idle = CategoryOptions([
            .overrideMutedMicrophoneInterruption, .farFieldInput, .bluetoothHighQualityRecording,
        ])
        let left = category.allowsRecording ? options.subtracting(idle) : options
        return .init(rawValue: left.rawValue)
    }
}
