import AudioSessionPlayback
import PipeWireGraph

/// States that a callback observed.
final class Seen: Sendable {
    private let list = Locked<[AudioPlayer.State]>([])

    var states: [AudioPlayer.State] { list.withLock(\.self) }

    func note(_ state: AudioPlayer.State) { list.withLock { $0.append(state) } }
}
