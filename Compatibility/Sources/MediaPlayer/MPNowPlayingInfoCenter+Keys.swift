/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// The artist, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The duration in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The position in seconds at the time that the information is set, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The rate of playback, a number: 0 is paused, and 1 is assumed without one.
/// ``MPNowPlayingInfoCenter/playbackState`` describes when another rate is shown as paused.
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
/// A key without effect: the desktop shows no composer.
public let MPMediaItemPropertyComposer = "composer"
/// A key without effect: the desktop shows no podcast.
public let MPMediaItemPropertyPodcastTitle = "podcastTitle"
/// A key without effect: the desktop shows no numbers of tracks.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// A key without effect: the desktop shows no numbers of tracks.
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// A key without effect: the desktop shows no numbers of discs.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// A key without effect: the desktop shows no numbers of discs.
public let MPMediaItemPropertyDiscCount = "discCount"
/// A key without effect: the desktop shows all kinds of items alike.
public let MPMediaItemPropertyMediaType = "mediaType"
/// The kinds of an item, for ``MPMediaItemPropertyMediaType``.
public struct MPMediaType: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let music = Self(rawValue: 1)
    public static let podcast = Self(rawValue: 2)
    public static let audioBook = Self(rawValue: 4)
    public static let anyAudio = Self(rawValue: 0xFF)
}

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
/// A key without effect: the desktop computes it from position and duration.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// A key without effect: the desktop shows no chapters.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// A key without effect: the desktop shows no chapters.
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// A key without effect: the desktop identifies no items.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// A key without effect: the desktop identifies no services.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
