public import Foundation

/// A number of frames, each of which has one sample per channel.
public typealias AVAudioFrameCount = UInt32
/// A position in frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// The type of the samples of linear PCM.
public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat = 0
    case pcmFormatFloat32 = 1
    case pcmFormatFloat64 = 2
    case pcmFormatInt16 = 3
    case pcmFormatInt32 = 4

    var bytesPerSample: Int {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }
}

/// A format of linear PCM, as a value for buffers and recorders.
public final class AVAudioFormat: NSObject, Sendable {
    /// The type of the samples.
    public let commonFormat: AVAudioCommonFormat
    /// The frames per second.
    public let sampleRate: Double
    /// The number of channels.
    public let channelCount: AVAudioChannelCount
    /// Whether the channels of a frame are next to each other in memory.
    public let isInterleaved: Bool

    static let stereo = AVAudioFormat(.pcmFormatInt16, 44_100, 2, true)

    private init(
        _ commonFormat: AVAudioCommonFormat, _ sampleRate: Double, _ channels: AVAudioChannelCount,
        _ isInterleaved: Bool
    ) {
        self.commonFormat = commonFormat
        self.sampleRate = sampleRate
        channelCount = channels
        self.isInterleaved = isInterleaved
    }

    /// Creates a format of linear PCM.
    ///
    /// - Parameters:
    ///   - format: the type of the samples.
    ///   - sampleRate: frames per second, more than 0 and at most 4,294,967,295.
    ///   - channels: the number of channels, 1 to 64.
    ///   - interleaved: whether the channels of a frame are next to each other in memory.
    /// - Returns: `nil` for a number out of range, and for `otherFormat`.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard format != .otherFormat, sampleRate > 0, sampleRate <= Double(UInt32.max),
            (1...64).contains(channels)
        else { return nil }
        self.init(format, sampleRate, channels, interleaved)
    }

    /// Creates the standard format: 32-bit floating point, one array for each channel.
    ///
    /// - Returns: `nil` for a number out of range.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Creates the format that a recorder's settings describe.
    ///
    /// - Parameter settings: with `AVSampleRateKey` and `AVNumberOfChannelsKey`, and optionally
    ///   `AVLinearPCMBitDepthKey`, `AVLinearPCMIsFloatKey` and `AVLinearPCMIsNonInterleaved`.
    /// - Returns: `nil` for settings that are not linear PCM of one of the common formats.
    public convenience init?(settings: [String: Any]) {
        func number(_ key: String) -> Double? { RecordingSettings.number(settings[key]) }
        let isLinear = number(AVFormatIDKey).map { $0 == Double(kAudioFormatLinearPCM) } ?? true
        let isFloat = settings[AVLinearPCMIsFloatKey] as? Bool ?? false
        let format: AVAudioCommonFormat? =
            switch (Int(number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)), isFloat) {
            case (16, false): .pcmFormatInt16
            case (32, false): .pcmFormatInt32
            case (32, true): .pcmFormatFloat32
            case (64, true): .pcmFormatFloat64
            default: nil
            }
        guard isLinear, let format, let rate = number(AVSampleRateKey),
            let channels = number(AVNumberOfChannelsKey)
        else { return nil }
        self.init(
            commonFormat: format, sampleRate: rate, channels: AVAudioChannelCount(channels),
            interleaved: !(settings[AVLinearPCMIsNonInterleaved] as? Bool ?? false))
    }

    /// Whether this is 32-bit floating point with one array for each channel.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The format as a recorder's settings.
    public var settings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: sampleRate,
            AVNumberOfChannelsKey: Int(channelCount), AVLinearPCMBitDepthKey: commonFormat.bytesPerSample * 8,
            AVLinearPCMIsFloatKey: commonFormat == .pcmFormatFloat32 || commonFormat == .pcmFormatFloat64,
            AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: !isInterleaved,
        ]
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return commonFormat == other.commonFormat && sampleRate == other.sampleRate
            && channelCount == other.channelCount && isInterleaved == other.isInterleaved
    }
    public override var hash: Int { sampleRate.hashValue ^ channelCount.hashValue ^ commonFormat.hashValue }
    public override var description: String {
        "\(channelCount) ch, \(Int(sampleRate)) Hz, \(commonFormat)\(isInterleaved ? ", interleaved" : "")"
    }
}
