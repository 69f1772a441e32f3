extension AudioSessionConfiguration {
    /// The environment variable that names the group of the sessions of a program that names none.
    package static let groupVariable = "AUDIOSESSION_GROUP"

    /// The same configuration, in this group unless it names one itself.
    ///
    /// - Parameter group: the value of ``groupVariable``; `nil` or empty if there is none.
    /// - Throws: `badParam` if the value is no name of a group.
    package func inDefaultGroup(_ group: String?) throws(AudioSessionError) -> Self {
        guard self.group == nil, let group, !group.isEmpty else { return self }
        var configuration = self
        configuration.group = group
        guard configuration.groupViolations.isEmpty else {
            throw AudioSessionError(
                .badParam,
                rule:
                    "The environment variable \(Self.groupVariable) names the group of this program's sessions, and "
                    + "has more than \(Self.largestGroup) bytes.",
                fix: "Set it to a shorter name, or unset it.")
        }
        return configuration
    }
}
