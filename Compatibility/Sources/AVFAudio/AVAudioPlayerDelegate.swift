public import Foundation

/// The events of an ``AVAudioPlayer``, delivered on the main queue. All methods are optional.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The player played to its end, including all repetitions. Not sent when it is stopped.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The file is damaged, or the output failed.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    /// The session was interrupted during playback, and the player is paused.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    /// The interruption ended. Playback does not resume by itself; 1 in `flags` advises to resume.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}

/// The events of an ``AVAudioRecorder``, delivered on the main queue. All methods are optional.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// The recording ended and its file is closed. `flag` is false if the file is incomplete.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// An error ended the recording. The message that it finished follows.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
