import Glibc

/// A WAV file of which every frame is loud: 500 Hz, 48,000 frames a second, 16 bits, two channels.
public func writeSquareWave(seconds: Int, to path: String) throws {
    let frames = seconds * 48_000
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("RIFF".utf8) + bytes(36 + frames * 4, 4) + Array("WAVEfmt ".utf8)
    for (value, count) in [(16, 4), (1, 2), (2, 2), (48_000, 4), (192_000, 4), (4, 2), (16, 2)] {
        file += bytes(value, count)
    }
    file += Array("data".utf8) + bytes(frames * 4, 4)
    let period = [8_000, -8_000].flatMap { sample in (0..<96).flatMap { _ in bytes(sample, 2) } }
    for _ in 0..<frames / 96 { file += period }
    guard let stream = fopen(path, "w") else { throw Program.Failure("\(path) cannot be written") }
    defer { fclose(stream) }
    guard fwrite(file, 1, file.count, stream) == file.count else { throw Program.Failure("\(path) is not whole") }
}
