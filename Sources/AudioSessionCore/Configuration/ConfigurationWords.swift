extension [AudioSessionConfiguration.Category] {
    /// All of them as people write them, with what they are.
    var listed: String { words("category", "categories", map(\.name), joinedBy: "and") }

    /// A sentence that offers them beside something that always helps.
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
