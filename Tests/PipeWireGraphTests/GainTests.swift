import CPipeWireTestServer
import Glibc
import Testing

/// The factor that the real-time thread multiplies samples with.
@Suite("Gain") struct GainTests {
    private static let rate: UInt32 = 48000

    /// The envelope of so many cycles, in the sizes that a graph may have.
    private func envelope(
        _ gain: inout cpt_gain, to target: cpt_gain, cycles: Int, of frames: Int = 256
    ) -> [Float] {
        (0..<cycles).flatMap { _ in
            var samples = [Float](repeating: 1, count: frames * 2)
            cpt_gain_apply(&gain, target, Self.rate, &samples, UInt32(frames), 2)
            return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        }
    }

    private func decibels(_ factor: Float) -> Float { 20 * log10f(factor) }

    @Test("Samples are unchanged at full volume") func unity() {
        var gain = cpt_gain(volume: 1, duck: 0)
        #expect(envelope(&gain, to: gain, cycles: 3).allSatisfy { $0 == 1 })
    }

    @Test("A duck ramps down evenly, by less than 3 dB in 10 ms, and stays", arguments: [1, 63, 64, 128, 1000, 1024])
    func down(_ frames: Int) {
        var gain = cpt_gain(volume: 1, duck: 0)
        let sound = envelope(&gain, to: .init(volume: 1, duck: -14), cycles: 4800 / frames + 1, of: frames)
        #expect(zip(sound, sound.dropFirst()).allSatisfy { $0 >= $1 })
        for (before, after) in zip(sound, sound.dropFirst(480)) { #expect(decibels(before) - decibels(after) < 3) }
        #expect(abs(decibels(sound[4799]) + 14) < 0.01)
        #expect(gain.duck == -14)
    }

    @Test("A duck to zero ramps evenly, and ends in silence") func silence() {
        var gain = cpt_gain(volume: 0.5, duck: 0)
        let down = envelope(&gain, to: .init(volume: 0.5, duck: -96), cycles: 64)
        #expect(zip(down, down.dropFirst()).allSatisfy { $0 >= $1 })
        for (before, after) in zip(down, down.dropFirst(480)) where after > 1e-4 {
            #expect(decibels(before) - decibels(after) < 3)
        }
        #expect(down.last == 0)
        let up = envelope(&gain, to: .init(volume: 0.5, duck: 0), cycles: 64)
        #expect(zip(up, up.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(up.last == 0.5)
    }

    @Test("A ramp can turn round in the middle without a jump, and ends at full volume") func turn() {
        var gain = cpt_gain(volume: 1, duck: 0)
        let down = envelope(&gain, to: .init(volume: 1, duck: -14), cycles: 5)
        #expect(gain.duck < 0 && gain.duck > -14)
        let up = envelope(&gain, to: .init(volume: 1, duck: 0), cycles: 20)
        #expect(abs(up[0] - down[down.count - 1]) < 0.001)
        #expect(zip(up, up.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(up.last == 1)
        #expect(gain.duck == 0)
    }

    @Test("The user's volume is multiplied, not overwritten") func volume() {
        var gain = cpt_gain(volume: 0.5, duck: -20)
        let sound = envelope(&gain, to: gain, cycles: 2)
        #expect(sound.allSatisfy { abs($0 - 0.05) < 1e-6 })
        let louder = envelope(&gain, to: .init(volume: 1, duck: -20), cycles: 1)
        #expect(louder.first.map { abs($0 - 0.05) < 1e-3 } == true)
        #expect(envelope(&gain, to: .init(volume: 1, duck: -20), cycles: 1).allSatisfy { abs($0 - 0.1) < 1e-6 })
    }
}
