import AVFoundation
import AudioToolbox
import Testing

extension AVFAudioTests {
    /// Types that stand for themselves, whatever PipeWire does.
    @Suite struct ValueTests {
        @Test func formatsDescribePCM() throws {
            let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
            #expect(standard.isStandard && standard.commonFormat == .pcmFormatFloat32 && !standard.isInterleaved)
            let short = try #require(
                AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
            #expect(AVAudioFormat(settings: short.settings) == short)
            #expect(AVAudioFormat(settings: standard.settings) == standard)
            #expect(short != standard && short.channelCount == 1 && short.sampleRate == 48_000)
            for (rate, channels) in [
                (0, 2), (-1, 2), (Double.nan, 2), (.infinity, 2), (1e300, 2), (48_000, 0), (48_000, 65),
            ] {
                #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: .init(channels)) == nil)
            }
            #expect(
                AVAudioFormat(commonFormat: .otherFormat, sampleRate: 8_000, channels: 1, interleaved: true) == nil)
            #expect(AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC]) == nil)
            #expect(AVAudioFormat(settings: [AVSampleRateKey: 8_000, AVNumberOfChannelsKey: -1]) == nil)
        }

        @Test func buffersHoldSamples() throws {
            let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
            #expect(buffer.frameLength == 0 && buffer.frameCapacity == 64 && buffer.stride == 1)
            buffer.frameLength = 100
            #expect(buffer.frameLength == 64)
            let data = try #require(buffer.floatChannelData)
            for channel in 0..<2 {
                for frame in 0..<64 { data[channel][frame] = Float(channel * 64 + frame) }
            }
            #expect(data[0][63] == 63 && data[1][0] == 64 && data[1][63] == 127)
            #expect(buffer.int16ChannelData == nil && buffer.int32ChannelData == nil)
            let short = try #require(
                AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
            let interleaved = try #require(AVAudioPCMBuffer(pcmFormat: short, frameCapacity: 4))
            let samples = try #require(interleaved.int16ChannelData)
            #expect(interleaved.stride == 2 && samples[1] - samples[0] == 1 && samples[1][6] == 0)
            #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
            #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0)?.floatChannelData != nil)
        }

        @Test func theMicrophoneIsPermitted() async {
            #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .authorized)
            #expect(AVCaptureDevice.authorizationStatus(for: .video) == .restricted)
            #expect(await AVCaptureDevice.requestAccess(for: .audio))
            #expect(await !AVCaptureDevice.requestAccess(for: .video))
            #expect(await AVAudioApplication.requestRecordPermission())
            var answers: [Bool] = []
            AVCaptureDevice.requestAccess(for: .audio) { answers.append($0) }
            AVAudioApplication.requestRecordPermission { answers.append($0) }
            AVAudioSession().requestRecordPermission { answers.append($0) }
            #expect(answers == [true, true, true])
        }

        @Test func errorsAndTypesHaveApplesNumbersAndNames() {
            let error = AVError(.mediaServicesWereReset) as NSError
            #expect(error.domain == "AVFoundationErrorDomain" && error.code == -11_819)
            #expect(AVError.Code.operationInterrupted.rawValue == -11_847)
            #expect(AVFileType.wav.rawValue == "com.microsoft.waveform-audio" && AVMediaType.audio.rawValue == "soun")
            #expect(AVAudioFrameCount.max == UInt32.max && AVAudioFramePosition.min == Int64.min)
        }

        /// Foundation for Linux crashes with other objects than its own.
        @Test func theSessionIsAnArgumentOfAFormat() {
            let session = AVAudioSession()
            #expect(String(format: "%@, %d", session, 3) == "\(session.description), 3")
        }

        @Test func systemSoundsDoNothing() {
            var done = 0
            AudioServicesPlaySystemSound(kSystemSoundID_Vibrate)
            AudioServicesPlayAlertSound(1_000)
            AudioServicesPlaySystemSoundWithCompletion(1_104) { done += 1 }
            AudioServicesPlayAlertSoundWithCompletion(kSystemSoundID_Vibrate) { done += 1 }
            #expect(done == 2)
            #expect(AudioServicesDisposeSystemSoundID(1) == kAudioServicesSystemSoundUnspecifiedError)
        }
    }
}
