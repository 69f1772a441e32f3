import ExampleSupport
import Glibc

/// The sounds of the board.
enum PadKind: Int, CaseIterable {
    case rain = 1, sea, wind, fire, crickets, bell

    /// Its name on the board.
    var name: String { "\(self)" }
    var key: Character { Character("\(rawValue)") }

    func sound() throws(Errno) -> Sound {
        var noise = Noise()
        var (low, band) = (0.0, 0.0)
        switch self {
        case .rain:
            return try Sound(loopOf: 4) { _ in
                // Noise without low frequencies sounds like water on leaves.
                let hiss = noise.next()
                low += 0.3 * (hiss - low)
                return 0.3 * (hiss - low)
            }
        case .sea:
            return try Sound(loopOf: 8) { time in
                low += 0.05 * (noise.next() - low)
                return (0.6 + 2.4 * pow(sin(.pi * time / 8), 4)) * low
            }
        case .wind:
            return try Sound(loopOf: 6) { time in
                // A resonance whose frequency rises and falls.
                let frequency = 2 * sin(.pi * (500 + 200 * sin(2 * .pi * time / 6)) / 48_000)
                low += frequency * band
                band += frequency * (noise.next() - low - 0.15 * band)
                return 0.12 * band
            }
        case .fire:
            return try Sound(loopOf: 5) { _ in
                low += 0.02 * (noise.next() - low)
                // Occasional crackles, which decay within a few milliseconds.
                band *= 0.99
                if noise.next() > 0.9998 { band = 0.5 }
                return low + band * noise.next()
            }
        case .crickets:
            return try Sound(loopOf: 3) { time in
                // Three chirps, and a pause.
                let place = time.truncatingRemainder(dividingBy: 0.75)
                guard place < 0.3 else { return 0 }
                return 0.25 * pow(sin(.pi * place / 0.1), 2) * sin(2 * .pi * 4_200 * time)
            }
        case .bell:
            return try Sound(seconds: 4) { time in
                [(1.0, 0.4), (2.76, 0.2), (5.4, 0.1)].reduce(0) { sum, partial in
                    sum + partial.1 * exp(-1.2 * partial.0 * time) * sin(2 * .pi * 523.3 * partial.0 * time)
                }
            }
        }
    }
}

/// The same noise each time, so that its sound can be tested.
private struct Noise {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A random number from -1 to 1.
    mutating func next() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(Int64(bitPattern: state)) / Double(Int64.max)
    }
}
