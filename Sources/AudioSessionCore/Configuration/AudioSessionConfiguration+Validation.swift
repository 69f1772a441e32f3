extension AudioSessionConfiguration {
    /// Checks whether a session accepts this configuration. It has no side effects.
    ///
    /// - Throws: `badParam` with all violations, the broken rules and their fixes.
    public func validate() throws(AudioSessionError) {
        if let error = AudioSessionError(violations) { throw error }
    }

    /// Whether a session accepts this configuration. ``violations`` has the reasons against it.
    public var isLegal: Bool { violations.isEmpty }

    /// The violations of rules in this configuration, that of the mode first.
    public var violations: [ConfigurationViolation] {
        modeViolations + options.members.compactMap { violation(of: $0.option, named: $0.name) }
            + bitViolations + policyViolations + groupViolations + timeoutViolations
    }

    private var modeViolations: [ConfigurationViolation] {
        let legal = mode.legalCategories
        guard !legal.contains(category) else { return [] }
        let alternatives = replacements(among: legal)
        return [
            ConfigurationViolation(
                .mode(mode),
                rule: "Mode \(mode.name) is only for \(legal.listed), and the category is \(category.name).",
                fix: alternatives.proposed(or: "Use mode default"), alternatives: alternatives)
        ]
    }

    private func violation(of option: CategoryOptions, named name: String) -> ConfigurationViolation? {
        let legality = option.legality(in: category)
        guard !legality.allows(mode, beside: options) else { return nil }
        if legality == .legalInDefaultMode {
            return ConfigurationViolation(
                .options(option),
                rule: "Option \(name) with category \(category.name) is only for mode default, "
                    + "and the mode is \(mode.name).",
                fix: "Leave it out, or use mode default.")
        }
        if legality == .legalBesideDucking {
            return ConfigurationViolation(
                .options(option),
                rule: "Option \(name) with category \(category.name) is only for a session that also has duckOthers.",
                fix: "Leave it out, or set duckOthers too.")
        }
        let legal = Category.allCases.filter { option.legality(in: $0).allows(mode, beside: options) }
        let alternatives = replacements(among: legal.filter(mode.legalCategories.contains))
        return ConfigurationViolation(
            .options(option),
            rule: "Option \(name) is only for \(legal.listed), and the category is \(category.name).",
            fix: alternatives.proposed(or: "Leave it out"), alternatives: alternatives)
    }

    private var timeoutViolations: [ConfigurationViolation] {
        guard replugTimeout < .zero else { return [] }
        return [
            ConfigurationViolation(
                .replugTimeout, rule: "The replug timeout is \(replugTimeout), and no time is below zero.",
                fix: "Use zero or more, or set resumesOnReplug to false for no advice.")
        ]
    }

    /// Categories that could take the place of this one: those that can do the same, or else more.
    private func replacements(among categories: [Category]) -> [Category] {
        let same = categories.filter {
            $0.allowsPlayback == allowsPlayback && $0.allowsRecording == allowsRecording && $0 != .multiRoute
        }
        guard same.isEmpty else { return same }
        return categories.filter {
            ($0.allowsPlayback || !allowsPlayback) && ($0.allowsRecording || !allowsRecording) && $0 != .multiRoute
        }
    }
}

extension AudioSessionConfiguration {
    /// The violations by bits that are no option.
    private var bitViolations: [ConfigurationViolation] {
        var left = options.rawValue
        for member in options.members { left &= ~member.option.rawValue }
        var violations: [ConfigurationViolation] = []
        for unknown in AppleOnly.all where unknown.bits & left != 0 {
            left &= ~unknown.bits
            violations.append(
                ConfigurationViolation(
                    .options(CategoryOptions(rawValue: unknown.bits)), rule: unknown.rule, fix: unknown.fix))
        }
        guard left != 0 else { return violations }
        let halfAnOption = CategoryOptions.interruptSpokenAudioAndMixWithOthers
        let digits = String(left, radix: 16)
        violations.append(
            ConfigurationViolation(
                .options(CategoryOptions(rawValue: left)), rule: "The bits 0x\(digits) are no option.",
                fix: left == halfAnOption.symmetricDifference(.mixWithOthers).rawValue
                    ? "Use interruptSpokenAudioAndMixWithOthers, which is 0x11." : "Leave them out."))
        return violations
    }
}
