import Glibc

/// How long the tests with random events are.
enum RandomRuns {
    /// The number of steps that `AUDIOSESSIONS_STEPS` sets.
    static let steps = getenv("AUDIOSESSIONS_STEPS").flatMap { Int(String(cString: $0)) }

    /// Whether this is a run of `Scripts/test --all`.
    static let isLong = steps ?? 0 >= 1_000_000

    /// The seeds of a long run, or the first quarter of them.
    static func seeds(_ count: Int) -> ClosedRange<Int> { 1...(isLong ? count : count / 4) }
}

/// A generator with the same numbers for the same seed on every computer. It is that of
/// `TestSupport`, which needs PipeWire's libraries, and the core's tests do not.
struct BoardRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
