/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The artist, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The duration in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The position in seconds at the time that the information is set, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The rate of playback, a number: 0 is paused, and 1 is assumed without one.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The location of what is played, a `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"

/// A key without effect: the desktop shows no album.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// A key without effect: the desktop shows no artist of an album.
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// A key without effect: the desktop shows no picture.
public let MPMediaItemPropertyArtwork = "artwork"
/// A key without effect: the desktop shows no genre.
public let MPMediaItemPropertyGenre = "genre"
/// A key without effect: the rate is that of ``MPNowPlayingInfoPropertyPlaybackRate``.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// A key without effect: a stream is what has no duration.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// A kind of medium, for ``MPNowPlayingInfoPropertyMediaType``.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    case none = 0
    case audio = 1
    case video = 2
}

/// A key without effect: the desktop shows sound and video alike.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// A key without effect: the desktop shows no queue.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// A key without effect: the desktop shows no queue.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
