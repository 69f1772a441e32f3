// What is asked of a session besides its configuration, and needs a category that has it.
extension AudioSessionConfiguration {
    /// Fails with `incompatibleCategory` if the category has nothing to do with sound in a direction.
    ///
    /// - Parameter purpose: what was asked for, as the beginning of a sentence: "A preferred input".
    package func require(_ direction: PortDirection, for purpose: String) throws(AudioSessionError) {
        guard direction == .input ? !allowsRecording : !allowsPlayback else { return }
        let (does, other) = direction == .input ? ("records", "records nothing") : ("plays", "plays nothing")
        throw AudioSessionError(
            .incompatibleCategory, rule: "\(purpose) is for a category that \(does), and \(category.name) \(other).",
            fix: "Use category playAndRecord, or do without it.")
    }

    /// Fails with `incompatibleCategory` if an output may not be insisted on: the speaker is for playAndRecord only.
    public func validate(_ override: PortOverride) throws(AudioSessionError) {
        guard override == .speaker, category != .playAndRecord else { return }
        throw AudioSessionError(
            .incompatibleCategory,
            rule: "The speaker overrides the output only with category playAndRecord, "
                + "and the category is \(category.name).",
            fix: "Use category playAndRecord, or prefer an output instead.")
    }
}
