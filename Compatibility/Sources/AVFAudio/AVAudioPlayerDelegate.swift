public import Foundation

/// What an ``AVAudioPlayer`` tells, on the main queue. Every method may be left out.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// It played to its end, all repetitions included. Not told when it is stopped.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The file turned out to be damaged, or the output failed.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    /// The session was interrupted while it played. The player is paused.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    /// That interruption has ended. Nothing plays by itself; 1 in `flags`: it may play again.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}

/// What an ``AVAudioRecorder`` tells, on the main queue. Every method may be left out.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// The recording is over and its file closed; `flag` is false if the file could not be written to its end.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// Something went wrong; that it finished is told next.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
