package import AudioSessions

/// The calls for desktop clients. Each reads the player's state when it has its effect, because
/// several may wait for the player's thread.
extension AudioPlayer {
    /// Pauses the player if it plays, otherwise plays.
    package func playOrPause() async throws(AudioSessionError) {
        if state == .playing { pause() } else { try await play() }
    }

    /// Seeks from the current position. MPRIS requires that a seek beyond the end of the item
    /// starts the next one.
    package func seek(by offset: Duration) throws(AudioSessionError) {
        let time = position + offset
        if let length, time > length, (try? skipToNext()) != nil { return }
        try seek(to: max(time, .zero))
    }

    /// Seeks in the item with this index. Has no effect if another item is the current one, or the
    /// item does not last that long.
    package func seek(to time: Duration, inItem index: Int) throws(AudioSessionError) {
        guard index == currentIndex, time >= .zero else { return }
        if let length, time > length { return }
        try seek(to: time)
    }

    /// The duration of the current item; `nil` if its file does not state one.
    private var length: Duration? { duration.flatMap { $0 > .zero ? $0 : nil } }
}
