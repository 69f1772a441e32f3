/// What PipeWire's own settings say of the graph's clock.
package struct ClockSettings: Sendable, Hashable {
    package var rate = 48_000
    /// Frames of a cycle if nobody asks for fewer.
    package var quantum = 1024
    package var minimumQuantum = 32
    package var maximumQuantum = 2048
    /// Rates that the graph may change to while nothing runs; empty: only `rate`.
    package var allowedRates: [Int] = []
    /// 0: none is.
    package var forcedRate = 0
    package var forcedQuantum = 0

    package init() {}

    private static let longestList = 32
    private static let largestNumber = 768_000

    /// Takes note of a setting. Anybody may write anything there: what is no such number is passed over.
    /// - Returns: whether it says something new.
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

    /// A number, or a list of them as PipeWire writes it: `[ 44100 48000 ]`.
    private static func numbers(_ text: String) -> [Int] {
        text.split { " ,[]\t\n".contains($0) }.prefix(longestList).compactMap { Int($0) }
            .filter { (0...largestNumber).contains($0) }
    }
}
