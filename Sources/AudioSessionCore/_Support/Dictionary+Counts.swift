extension Dictionary where Value == Int {
    /// Changes a number that is absent while it is 0.
    mutating func add(_ change: Int, to key: Key) {
        let count = (self[key] ?? 0) + change
        self[key] = count > 0 ? count : nil
    }
}

extension Dictionary {
    /// Removes a member of the set at a key, and with the last member the key.
    /// - Returns: Whether the set had the member.
    @discardableResult
    mutating func remove<Member: Hashable>(_ member: Member, from key: Key) -> Bool where Value == Set<Member> {
        guard self[key]?.remove(member) != nil else { return false }
        if self[key]?.isEmpty == true { self[key] = nil }
        return true
    }
}
