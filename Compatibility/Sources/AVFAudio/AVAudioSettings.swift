import AudioSessionPlayback
import Foundation

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

/// An audio format, identified by Core Audio's number.
public typealias AudioFormatID = UInt32
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033

public enum AVAudioQuality: Int, Sendable {
    case min = 0
    case low = 0x20
    case medium = 0x40
    case high = 0x60
    case max = 0x7F
}

/// The settings that a recorder supports.
struct RecordingSettings: Sendable, Hashable {
    var format = AudioRecorder.Format(sampleRate: 44_100, channelCount: 2, bitsPerSample: 16)
    var type: AudioRecorder.FileType

    /// Reads the supported settings.
    ///
    /// - Parameters:
    ///   - settings: the settings of the recorder.
    ///   - path: the path of the file, whose name determines the format if the settings do not.
    /// - Throws: `fmt?` for a format other than FLAC and linear PCM, which is written as WAV.
    init(_ settings: [String: Any], path: String) throws {
        type = AudioRecorder.FileType(path: path)
        if let number = Self.number(settings[AVFormatIDKey]) {
            switch AudioFormatID(truncatingIfNeeded: Int64(number)) {
            case kAudioFormatLinearPCM: type = .wav
            case kAudioFormatFLAC: type = .flac
            default:
                throw NSError(
                    status: Int("fmt?".fourCharacterCode),
                    "Only linear PCM and FLAC can be recorded here. Use kAudioFormatLinearPCM or kAudioFormatFLAC.")
            }
        }
        if let rate = Self.number(settings[AVSampleRateKey]) { format.sampleRate = Int(rate) }
        if let channels = Self.number(settings[AVNumberOfChannelsKey]) { format.channelCount = Int(channels) }
        if let bits = Self.number(settings[AVLinearPCMBitDepthKey]) { format.bitsPerSample = bits > 16 ? 24 : 16 }
    }

    /// Converts a number of any type, because programs use different ones.
    static func number(_ value: Any?) -> Double? {
        let number: Double? =
            switch value {
            case let value as NSNumber: value.doubleValue
            case let value as any BinaryInteger: Double(value)
            case let value as any BinaryFloatingPoint: Double(value)
            default: nil
            }
        return number.map { $0.isFinite ? Swift.min(Swift.max($0, 0), Double(UInt32.max)) : 0 }
    }
}
