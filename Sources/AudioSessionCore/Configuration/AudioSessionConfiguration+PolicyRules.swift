extension AudioSessionConfiguration {
    private static let longFormModes: [Mode] = [.default, .moviePlayback, .spokenAudio]

    var policyViolations: [ConfigurationViolation] {
        switch routeSharingPolicy {
        case .default: []
        case .independent:
            [violation("Only the system may set policy independent, and no session may.", "Use policy default.")]
        case .longFormAudio, .longFormVideo: longFormViolations
        }
    }

    private var longFormViolations: [ConfigurationViolation] {
        let policy = "Policy \(routeSharingPolicy.name)"
        var violations: [ConfigurationViolation] = []
        if category != .playback {
            violations.append(
                violation(
                    "\(policy) is only for category playback, and the category is \(category.name).",
                    "Use policy default, or category playback.", [.playback]))
        }
        if !Self.longFormModes.contains(mode) {
            violations.append(
                violation(
                    "\(policy) is only for \(Self.longFormModes.listed), and the mode is \(mode.name).",
                    "Use policy default, or one of these modes."))
        }
        if !options.isEmpty {
            let names = options.names.isEmpty ? "bits" : options.names.joined(separator: ", ")
            violations.append(
                violation("\(policy) takes no options, and there are \(names).", "Use policy default, or no options.")
            )
        }
        return violations
    }

    private func violation(
        _ rule: String, _ fix: String, _ alternatives: [Category] = []
    ) -> ConfigurationViolation {
        ConfigurationViolation(
            .routeSharingPolicy(routeSharingPolicy), rule: rule, fix: fix, alternatives: alternatives)
    }

    /// The maximum length of a group's name, in bytes of UTF-8.
    public static let largestGroup = 64

    var groupViolations: [ConfigurationViolation] {
        guard let group else { return [] }
        let size = group.utf8.prefix(Self.largestGroup + 1).count
        guard size == 0 || size > Self.largestGroup else { return [] }
        return [
            ConfigurationViolation(
                .group,
                rule: "The name of a group has 1 to \(Self.largestGroup) bytes, "
                    + (size == 0 ? "and this one is empty." : "and this one has more."),
                fix: "Use another name, or none for the group of this process.")
        ]
    }
}
