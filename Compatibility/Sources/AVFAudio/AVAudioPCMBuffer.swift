public import Foundation

/// A buffer of samples, of which nothing but its format is known.
open class AVAudioBuffer: NSObject {
    /// The format of the samples.
    public let format: AVAudioFormat

    init(_ format: AVAudioFormat) { self.format = format }
}

/// Samples of linear PCM in memory.
///
/// It is a value for code that computes with samples. `AudioOutput` and `AudioInput` of
/// `AudioSessionPlayback` play and record samples.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// The number of frames for which there is memory.
    public let frameCapacity: AVAudioFrameCount
    /// The distance of two samples of a channel: 1, or the number of channels if interleaved.
    public let stride: Int
    private let memory: UnsafeMutableRawPointer
    /// The address of the first sample of each channel.
    private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var length: AVAudioFrameCount = 0

    /// Creates a silent buffer without frames.
    ///
    /// - Parameters:
    ///   - format: the format of the samples.
    ///   - frameCapacity: the number of frames for which there is memory.
    /// - Returns: `nil` if the buffer is larger than 1 GiB.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let (count, size) = (Int(format.channelCount), format.commonFormat.bytesPerSample)
        let bytes = Int(frameCapacity) * count * size
        guard bytes <= 1 << 30 else { return nil }
        self.frameCapacity = frameCapacity
        stride = format.isInterleaved ? count : 1
        memory = .allocate(byteCount: max(bytes, 1), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(bytes, 1))
        channels = .allocate(capacity: count)
        let distance = format.isInterleaved ? size : Int(frameCapacity) * size
        for channel in 0..<count { (channels + channel).initialize(to: memory + channel * distance) }
        super.init(format)
    }

    deinit {
        channels.deallocate()
        memory.deallocate()
    }

    /// The number of frames that the buffer has, at most ``frameCapacity``.
    open var frameLength: AVAudioFrameCount {
        get { length }
        set { length = min(newValue, frameCapacity) }
    }

    /// The samples of each channel, for a format of 32-bit floating point.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { data(.pcmFormatFloat32) }
    /// The samples of each channel, for a format of 16-bit integers.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { data(.pcmFormatInt16) }
    /// The samples of each channel, for a format of 32-bit integers.
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { data(.pcmFormatInt32) }

    /// The addresses as those of samples. All data pointers have the same representation.
    private func data<Sample>(_ wanted: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == wanted else { return nil }
        return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }
}
