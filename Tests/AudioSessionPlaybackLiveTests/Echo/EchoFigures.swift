import Glibc

/// The effect of a canceller, measured against an input without one that recorded beside it.
struct EchoFigures {
    /// Frames per second of both recordings.
    private static let rate = 48_000
    private static let frame = 960

    private let plain: [Float], cancelled: [Float]
    private let plainCalls: [Tape.Call], cancelledCalls: [Tape.Call]
    /// The first frame of the story in `plain`.
    private let start: Int
    /// How much later the same sound is in `cancelled`, in frames of the two recordings.
    private let shift: Int

    /// Aligns the two recordings.
    /// - Parameters:
    ///   - delay: of the echo, in seconds.
    ///   - voice: when only the voice is heard, in seconds of the story.
    init(plain: Tape, cancelled: Tape, delay: Double, voice: ClosedRange<Double>) {
        (self.plain, self.cancelled) = (plain.samples, cancelled.samples)
        (plainCalls, cancelledCalls) = (plain.calls, cancelled.calls)
        let powers = Self.powers(self.plain, length: 48)
        start = (powers.firstIndex { $0 > 0.00003 } ?? 0) * 48 - Int(delay * 48_000)
        let first = start + Int(voice.lowerBound * 48_000)
        let length = Int(min(voice.upperBound - voice.lowerBound, 1) * 48_000)
        let guess = plainCalls.isEmpty || cancelledCalls.isEmpty ? 0 : Self.shift(plainCalls, cancelledCalls)
        shift = Self.bestShift(self.plain, self.cancelled, first..<first + length, near: guess)
    }

    /// How much weaker the microphone's sound is, in decibels, where it is loud.
    func cancellation(_ seconds: ClosedRange<Double>) -> Double {
        var (with, without) = (0.0, 0.0)
        for (plain, cancelled) in frames(seconds) where plain > 3e-6 {
            without += plain
            with += cancelled
        }
        return 10 * log10(without / max(with, 1e-14))
    }

    /// The least cancellation of all half seconds, in decibels.
    func leastCancellation(_ seconds: ClosedRange<Double>) -> Double {
        stride(from: seconds.lowerBound, to: seconds.upperBound - 0.5, by: 0.5).map { time in
            cancellation(time...time + 0.5)
        }.filter(\.isFinite).min() ?? .nan
    }

    /// How much louder the voice is than in the microphone, in decibels.
    func voiceLevel(_ seconds: ClosedRange<Double>) -> Double { -cancellation(seconds) }

    /// The level of the voice beside an echo, in decibels, and the percentage of its frames that
    /// are at least 10 dB too weak.
    /// - Parameter voice: at `voiceRate` frames per second, from the beginning of the story on.
    func doubleTalk(_ seconds: ClosedRange<Double>, voice: [Float], voiceRate: Int) -> (level: Double, lost: Double) {
        let length = voiceRate / 50
        let truth = Self.powers(Array(voice[Int(seconds.lowerBound * Double(voiceRate))...]), length: length)
        let pairs = zip(truth, frames(seconds).map(\.cancelled)).filter { $0.0 > 2e-5 }
        let (said, heard) = pairs.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        let lost = pairs.count { $0.1 < $0.0 / 10 }
        return (10 * log10(heard / said), 100 * Double(lost) / Double(max(1, pairs.count)))
    }

    /// How much less of the microphone's sound was delivered half a cycle after each cycle of the
    /// other input, in milliseconds: in the mean, in 95 % of the cycles, and at most.
    ///
    /// A program that plays what it receives has to wait so much longer, to have no gaps.
    func addedLatency(_ seconds: ClosedRange<Double>) -> (mean: Double, usual: Double, most: Double) {
        let first = start + Int(seconds.lowerBound * 48_000), last = start + Int(seconds.upperBound * 48_000)
        let differences = zip(plainCalls, plainCalls.dropFirst()).compactMap { call, next -> Double? in
            guard (first..<last).contains(call.end) else { return nil }
            let time = (call.now + next.now) / 2
            guard let delivered = Self.delivered(until: time, cancelledCalls) else { return nil }
            return Double(call.end + shift - delivered) / 48
        }.sorted()
        guard let most = differences.last else { return (.nan, .nan, .nan) }
        return (differences.reduce(0, +) / Double(differences.count), differences[differences.count * 19 / 20], most)
    }

    /// The longest time between two calls of the input that cancels, in milliseconds.
    var longestGap: Double {
        zip(cancelledCalls, cancelledCalls.dropFirst()).map { ($1.now - $0.now) * 1000 }.max() ?? .nan
    }

    private func frames(_ seconds: ClosedRange<Double>) -> [(plain: Double, cancelled: Double)] {
        let first = start + Int(seconds.lowerBound * 48_000)
        let count = Int((seconds.upperBound - seconds.lowerBound) * 50)
        return (0..<count).compactMap { number in
            let place = first + number * Self.frame
            guard place >= 0, place + Self.frame <= plain.count, place + shift >= 0,
                place + shift + Self.frame <= cancelled.count
            else { return nil }
            return (Self.power(plain, place, Self.frame), Self.power(cancelled, place + shift, Self.frame))
        }
    }

    private static func delivered(until time: Double, _ calls: [Tape.Call]) -> Int? {
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle].now <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? calls[low - 1].end : nil
    }

    private static func power(_ samples: [Float], _ place: Int, _ length: Int) -> Double {
        samples.withUnsafeBufferPointer { samples in
            var sum: Float = 0
            for index in place..<place + length { sum += samples[index] * samples[index] }
            return Double(sum) / Double(length)
        }
    }

    private static func powers(_ samples: [Float], length: Int) -> [Double] {
        stride(from: 0, to: samples.count - length, by: length).map { power(samples, $0, length) }
    }

    /// The shift by the times that the callbacks got, which are right to some milliseconds.
    private static func shift(_ plain: [Tape.Call], _ cancelled: [Tape.Call]) -> Int {
        Int((plain[0].time - cancelled[0].time) * 48_000)
    }

    private static func bestShift(_ plain: [Float], _ cancelled: [Float], _ range: Range<Int>, near guess: Int) -> Int
    {
        plain.withUnsafeBufferPointer { plain in
            cancelled.withUnsafeBufferPointer { cancelled in
                var best = (shift: guess, value: -Float.infinity)
                for shift in guess - 3000...guess + 3000 {
                    guard range.lowerBound + shift >= 0, range.upperBound + shift <= cancelled.count else { continue }
                    var sum: Float = 0
                    for index in stride(from: range.lowerBound, to: min(range.upperBound, plain.count), by: 3) {
                        sum += plain[index] * cancelled[index + shift]
                    }
                    if sum > best.value { best = (shift, sum) }
                }
                return best.shift
            }
        }
    }
}
