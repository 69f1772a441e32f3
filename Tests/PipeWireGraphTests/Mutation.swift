import TestSupport

/// The pod with one to three of its parts damaged: sizes, types, keys and values, and now and then
/// its end.
func mutated(_ pod: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let interesting: [UInt32] = [
        0, 1, 3, 4, 7, 8, 9, 12, 16, 64, 255, 4096, 1 << 20, 0x7fff_fff8, 0x7fff_ffff, 0x8000_0000, .max - 8, .max,
    ]
    var pod = pod
    for _ in 0..<Int.random(in: 1...3, using: &random) {
        let word = Int.random(in: 2..<pod.count / 4, using: &random) * 4
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: pod.replaceSubrange(word..<word + 4, with: words([interesting.randomElement(using: &random) ?? 0]))
        // A type in place of another word; a size and a type in place of two words.
        case 2: pod.replaceSubrange(word..<word + 4, with: words([.random(in: 0...21, using: &random)]))
        case 3 where word + 8 <= pod.count:
            let header = [interesting.randomElement(using: &random) ?? 0, .random(in: 0...21, using: &random)]
            pod.replaceSubrange(word..<word + 8, with: words(header))
        // A choice in place of a value, with the bytes behind it as its value.
        case 4 where word + 16 <= pod.count:
            let size = UInt32.random(in: 0...32, using: &random)
            pod.replaceSubrange(word..<word + 16, with: words([size, 19, 0, 0]))
        case 5: pod[Int.random(in: 8..<pod.count, using: &random)] = .random(in: 0...255, using: &random)
        case 6 where pod.count > 64: pod.removeLast(8 * Int.random(in: 1...4, using: &random))
        default: pod.insert(contentsOf: pod[word..<min(word + 16, pod.count)], at: word)
        }
    }
    return pod
}
