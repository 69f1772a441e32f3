import AudioSessionPlayback
import CAudioSession

/// A file of a player's queue that C programs can read for as long as it lasts.
final class QueueItem: Sendable {
    private let words: [Word?]
    private let address: UInt

    init(_ item: AudioPlayer.Item) {
        let texts: [String?] = [item.path, item.fileName, item.title, item.artist, item.format.encoding]
        words = texts.map { $0.map(Word.init) }
        let pointer = UnsafeMutablePointer<as_item>.allocate(capacity: 1)
        pointer.initialize(
            to: as_item(
                size: UInt32(MemoryLayout<as_item>.size), sample_rate: Int32(clamping: item.format.sampleRate),
                channels: Int32(clamping: item.format.channelCount), reserved: 0,
                frames: UInt64(max(0, item.frameCount)), duration: item.duration / .seconds(1),
                path: words[0]?.pointer, name: words[1]?.pointer, title: words[2]?.pointer,
                artist: words[3]?.pointer, encoding: words[4]?.pointer))
        address = UInt(bitPattern: pointer)
    }

    deinit { UnsafeMutablePointer<as_item>(bitPattern: address)?.deallocate() }

    var pointer: UnsafePointer<as_item>? { UnsafePointer(bitPattern: address) }
}
