/// The settings of PipeWire for the graph's clock.
package struct ClockSettings: Sendable, Hashable {
    package var rate = 48_000
    /// The frames of a cycle without a request for fewer.
    package var quantum = 1024
    package var minimumQuantum = 32
    package var maximumQuantum = 2048
    /// The rates to which the graph may change while nothing runs; empty for only `rate`.
    package var allowedRates: [Int] = []
    /// The forced rate, in frames per second; 0 without one.
    package var forcedRate = 0
    package var forcedQuantum = 0

    package init() {}

    private static let longestList = 32
    private static let largestNumber = 768_000

    /// Applies a setting. Any program can write settings, so values that are no valid number are
    /// ignored.
    /// - Returns: Whether a setting has changed.
    package mutating func set(_ key: String, _ value: String?) -> Bool {
        let old = self
        let numbers = Self.numbers(value ?? "")
        switch key {
        case "clock.allowed-rates": allowedRates = Array(numbers.filter { $0 > 0 }.prefix(Self.longestList))
        case "clock.rate": set(\.rate, numbers, from: 1)
        case "clock.quantum": set(\.quantum, numbers, from: 1)
        case "clock.min-quantum": set(\.minimumQuantum, numbers, from: 1)
        case "clock.max-quantum": set(\.maximumQuantum, numbers, from: 1)
        case "clock.force-rate": set(\.forcedRate, value == nil ? [0] : numbers, from: 0)
        case "clock.force-quantum": set(\.forcedQuantum, value == nil ? [0] : numbers, from: 0)
        default: return false
        }
        return self != old
    }

    private mutating func set(_ path: WritableKeyPath<Self, Int>, _ numbers: [Int], from least: Int) {
        guard numbers.count == 1, numbers[0] >= least else { return }
        self[keyPath: path] = numbers[0]
    }

    /// Parses a number, or a list in PipeWire's format: `[ 44100 48000 ]`.
    private static func numbers(_ text: String) -> [Int] {
        text.split { " ,[]\t\n".contains($0) }.prefix(longestList).compactMap { Int($0) }
            .filter { (0...largestNumber).contains($0) }
    }
}
