public import Histogram

/// The median of each round of one peer at one kind of event. Peers are compared within a round,
/// because a computer's speed varies from minute to minute.
public struct RoundMedians: Sendable {
    /// The medians in nanoseconds.
    private var medians: [Int: UInt64] = [:]

    public init() {}

    /// A round without a sighting has no median.
    public mutating func add(_ latencies: Histogram<UInt64>, round: Int) {
        if latencies.totalCount > 0 { medians[round] = latencies.valueAtPercentile(50) }
    }

    /// The lower and the upper quartile of the ratios to another peer's medians, over the rounds of
    /// both; `nil` if there is none.
    public func quartiles(over other: Self) -> ClosedRange<Double>? {
        let ratios = medians.compactMap { round, median -> Double? in
            guard let base = other.medians[round], base > 0 else { return nil }
            return Double(median) / Double(base)
        }.sorted()
        guard !ratios.isEmpty else { return nil }
        let place = ratios.count / 4
        return ratios[place]...ratios[ratios.count - 1 - place]
    }
}
