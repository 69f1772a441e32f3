extension [AudioSessionConfiguration.Category] {
    /// The names of all categories as a phrase, such as "categories playback and record".
    var listed: String { words("category", "categories", map(\.name), joinedBy: "and") }

    /// Returns the sentence that proposes these categories beside an action that always helps.
    func proposed(or certainty: String) -> String {
        isEmpty
            ? "\(certainty)." : "\(certainty), or use \(words("category", "category", map(\.name), joinedBy: "or"))."
    }
}

extension [AudioSessionConfiguration.Mode] {
    var listed: String { words("mode", "modes", map(\.name), joinedBy: "and") }
}

private func words(_ one: String, _ several: String, _ names: [String], joinedBy last: String) -> String {
    guard let final = names.last, names.count > 1 else { return ([one] + names).joined(separator: " ") }
    return "\(several) \(names.dropLast().joined(separator: ", ")) \(last) \(final)"
}
