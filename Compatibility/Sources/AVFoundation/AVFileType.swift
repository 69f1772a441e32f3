/// The format of a file, by its uniform type identifier.
///
/// Raw values serve as the hints of players, which ignore them.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let wav = Self(rawValue: "com.microsoft.waveform-audio")
    public static let mp3 = Self(rawValue: "public.mp3")
    public static let m4a = Self(rawValue: "com.apple.m4a-audio")
    public static let caf = Self(rawValue: "com.apple.coreaudio-format")
    public static let aiff = Self(rawValue: "public.aiff-audio")
    public static let aifc = Self(rawValue: "public.aifc-audio")
    public static let au = Self(rawValue: "public.au-audio")
    public static let mp4 = Self(rawValue: "public.mpeg-4")
    public static let mov = Self(rawValue: "com.apple.quicktime-movie")
}
