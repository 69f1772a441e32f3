/// The maximum of positive numbers of several groups, which can leave out the numbers of one group.
struct GroupedMaximum: Sendable, Hashable {
    private var first: UInt64 = 0
    private var group = GroupNumbers.none
    /// The maximum of all other groups.
    private var second: UInt64 = 0

    var isEmpty: Bool { first == 0 }
    var hasTwoGroups: Bool { second > 0 }

    /// Returns the maximum without one group; 0 if there is none.
    func value(besides group: Int) -> UInt64 { self.group == group ? second : first }

    /// Whether a number changes the maximum for any group.
    func isRaised(by number: UInt64, _ group: Int) -> Bool { number > (self.group == group ? first : second) }

    mutating func add(_ number: UInt64, _ group: Int) {
        if self.group == group {
            first = max(first, number)
        } else if number > first {
            (first, second, self.group) = (number, first, group)
        } else {
            second = max(second, number)
        }
    }
}

/// A number for each group in the stack, because numbers are compared faster than names.
struct GroupNumbers: Sendable, Hashable {
    private var known: [TokenGroup: Entry] = [:]
    private var last = none

    /// The number that stands for no group.
    static let none = 0

    private struct Entry: Sendable, Hashable {
        let number: Int
        var count: Int
    }

    subscript(group: TokenGroup) -> Int? { known[group]?.number }

    mutating func number(of group: TokenGroup) -> Int {
        if let entry = known[group] {
            known[group]?.count += 1
            return entry.number
        }
        last += 1
        known[group] = Entry(number: last, count: 1)
        return last
    }

    mutating func forget(_ group: TokenGroup) {
        guard let index = known.index(forKey: group) else { return }
        known.values[index].count -= 1
        if known.values[index].count == 0 { known.remove(at: index) }
    }
}
