// These requirements concern the category, not the configuration itself.
extension AudioSessionConfiguration {
    /// Checks that the category has a direction.
    ///
    /// - Parameter purpose: The subject of the error's sentence, such as "A preferred input".
    /// - Throws: `incompatibleCategory` if the category does not have the direction.
    package func require(_ direction: PortDirection, for purpose: String) throws(AudioSessionError) {
        guard direction == .input ? !allowsRecording : !allowsPlayback else { return }
        let (does, other) = direction == .input ? ("records", "records nothing") : ("plays", "plays nothing")
        throw AudioSessionError(
            .incompatibleCategory, rule: "\(purpose) is for a category that \(does), and \(category.name) \(other).",
            fix: "Use category playAndRecord, or do without it.")
    }

    /// Checks that the category permits an override. Only playAndRecord permits the speaker.
    /// - Parameter override: The override to check.
    /// - Throws: `incompatibleCategory` for other categories.
    public func validate(_ override: PortOverride) throws(AudioSessionError) {
        guard override == .speaker, category != .playAndRecord else { return }
        throw AudioSessionError(
            .incompatibleCategory,
            rule: "The speaker overrides the output only with category playAndRecord, "
                + "and the category is \(category.name).",
            fix: "Use category playAndRecord, or prefer an output instead.")
    }
}
