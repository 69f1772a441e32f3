import AudioSessionTestKit
import Glibc
import PipeWireGraph

/// Noise with the spectrum and the rhythm of speech: syllables of 90 to 250 ms, of different level
/// and color, and pauses between groups of them. It is the same in each run.
struct SpeechNoise {
    private var random: RoomNode.Options.Numbers
    private let rate: Int

    init(seed: UInt32, rate: Int) {
        random = RoomNode.Options.Numbers(state: seed)
        self.rate = rate
    }

    /// Returns the next part of the noise.
    /// - Parameter level: in the syllables, in decibels relative to full scale.
    mutating func samples(seconds: Double, level: Float) -> [Float] {
        let count = Int(seconds * Double(rate))
        var samples: [Float] = []
        samples.reserveCapacity(count + rate)
        while samples.count < count {
            for _ in 0..<(3 + Int((random.next() + 1) * 3)) { appendSyllable(to: &samples) }
            samples += [Float](repeating: 0, count: rate / 10 + Int((random.next() + 1) * Double(rate) * 0.1))
        }
        samples.removeLast(samples.count - count)
        let loud = samples.filter { $0 != 0 }
        let power = loud.reduce(0) { $0 + $1 * $1 } / Float(max(1, loud.count))
        let gain = pow(10, level / 20) / power.squareRoot()
        return samples.map { $0 * gain }
    }

    /// Noise through two resonances, between 200 and 3000 Hz.
    private mutating func appendSyllable(to samples: inout [Float]) {
        let length = Int((0.17 + 0.08 * random.next()) * Double(rate))
        let loudness = pow(10, 0.3 * random.next())
        var low = Resonance(frequency: 500 + 300 * random.next(), width: 150, rate: rate)
        var high = Resonance(frequency: 1800 + 900 * random.next(), width: 400, rate: rate)
        for index in 0..<length {
            let envelope = sin(.pi * Double(index) / Double(length))
            let noise = random.next()
            samples.append(Float((low.step(noise) + 0.5 * high.step(noise)) * envelope * envelope * loudness))
        }
    }

    private struct Resonance {
        let first, second, gain: Double
        var former = 0.0, beforeFormer = 0.0

        init(frequency: Double, width: Double, rate: Int) {
            let radius = exp(-.pi * width / Double(rate))
            first = 2 * radius * cos(2 * .pi * frequency / Double(rate))
            second = -radius * radius
            gain = (1 - radius) * 2 * (.pi * frequency / Double(rate))
        }

        mutating func step(_ value: Double) -> Double {
            let new = gain * value + first * former + second * beforeFormer
            (beforeFormer, former) = (former, new)
            return new
        }
    }
}
