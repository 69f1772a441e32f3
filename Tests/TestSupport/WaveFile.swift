/// Makes a WAV file of two channels with 16 bits.
///
/// - Parameters:
///   - samples: interleaved and little-endian.
///   - rate: in frames per second.
package func waveFile(_ samples: [UInt8], rate: Int = 48_000) -> [UInt8] {
    var file: [UInt8] = []
    func append(_ value: Int, bytes: Int) {
        for shift in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    file += Array("RIFF".utf8)
    append(36 + samples.count, bytes: 4)
    file += Array("WAVEfmt ".utf8)
    for (value, bytes) in [(16, 4), (1, 2), (2, 2), (rate, 4), (4 * rate, 4), (4, 2), (16, 2)] {
        append(value, bytes: bytes)
    }
    file += Array("data".utf8)
    append(samples.count, bytes: 4)
    return file + samples
}
