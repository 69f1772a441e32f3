import AudioSessions

@testable import AudioSessionSimulation

/// The measurements of the run in Docs/Demo.md, with the event at a round number of seconds.
enum DemoSamples {
    static func time(_ milliseconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(5_000_000_000 + (milliseconds * 1_000_000).rounded()))
    }

    static let headphones = PortDescription(type: .headphones, name: "Headphones", uid: "h", direction: .output)
    static let headset = PortDescription(
        type: .usbAudio, name: "Virtual USB Headset", uid: "u", direction: .output)
    static let speakers = PortDescription(type: .builtInSpeaker, name: "Speakers", uid: "s", direction: .output)

    static func change(
        _ old: PortDescription, _ new: PortDescription?, _ time: MonotonicTime,
        _ reason: RouteChangeReason = .oldDeviceUnavailable
    ) -> RouteChange {
        RouteChange(
            reason: reason, previous: RouteDescription(outputs: [old]),
            current: RouteDescription(outputs: new.map { [$0] } ?? []), time: time)
    }

    static func silent(_ sink: String, _ frames: UInt64) -> Loss.Listening {
        Loss.Listening(sink: sink, frames: frames, loudFrames: 0)
    }

    static let analog = "Built-in Audio Analog Stereo"
    static let hdmi = "Built-in Audio Digital Stereo (HDMI)"

    static let jack = Loss(
        title: "1. Headphones in a jack. The speaker is on the same sink.", file: "melody.wav", port: "Headphones",
        playTime: time(-1057.622), firstLoudTime: time(-1024.810),
        event: Loss.Event(text: "the headphones are pulled out of the jack", time: time(0)), eventTime: time(2.596),
        gateTime: time(2.666), noisyTime: time(7.353), pauseTime: time(7.515),
        routeChange: change(headphones, speakers, time(27.4)), routeTime: time(27.426), quantum: 1024, rate: 48_000,
        isSinkLeft: true,
        old: Loss.Listening(sink: analog, frames: 98_304, loudFrames: 50_176, lastLoudTime: time(20.482)),
        others: [silent(hdmi, 100_352)], endTime: time(1033.878))

    static let usb = Loss(
        title: "2. A headset on USB. Its sink goes with it.", file: "melody.wav", port: "Virtual USB Headset",
        playTime: time(-1045.876), firstLoudTime: time(-1026.165),
        event: Loss.Event(text: "the headset is pulled out of the USB socket", time: time(0)), eventTime: time(4.401),
        gateTime: time(4.415), noisyTime: time(7.938), pauseTime: time(8.072),
        routeChange: change(headset, speakers, time(8.1)), routeTime: time(8.126), quantum: 1024, rate: 48_000,
        isSinkLeft: false,
        old: Loss.Listening(
            sink: "Virtual USB Headset Analog Stereo", frames: 50_176, loudFrames: 49_152,
            lastLoudTime: time(-2.186)),
        others: [silent(analog, 98_304), silent(hdmi, 99_328)], endTime: time(1003.827))

    static let back = Return(
        title: "3. Headphones in the jack again.",
        event: Loss.Event(text: "the headphones are plugged in", time: time(0)),
        route: change(speakers, headphones, time(12.011), .newDeviceAvailable),
        before: [silent(analog, 48_128), silent(hdmi, 48_128)], isStillPaused: true, playTime: time(1020.938),
        firstLoudTime: time(1053.558), port: "Headphones", sink: analog)

    /// The times at the end of an interruption are counted from there.
    static func later(_ milliseconds: Double) -> MonotonicTime { time(2000 + milliseconds) }

    static func cause(_ process: Int) -> AudioSession.Peer {
        AudioSession.Peer(
            session: AudioSession.ID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11")!, applicationName: "audiosession",
            processID: process)
    }

    static let call = Interruption(
        title: "4. A call, in another program. The music is interrupted, and resumes.", processID: 6_329,
        begin: Loss.Event(text: "it rings, and activates its session", time: time(0)), grantTime: time(2.556),
        notifiedTime: time(5.396), cause: cause(6_329), gateTime: time(1.7316), pauseTime: time(1.812), quantum: 1024,
        rate: 48_000, lastLoudTime: time(17.3443), during: silent(analog, 48_128),
        end: Loss.Event(text: "it hangs up", time: later(0)), endNotifiedTime: later(1.658), shouldResume: true,
        playTime: later(3.380), firstLoudTime: later(11.397))

    static let prompt = Ducking(
        title: "5. A spoken prompt, in another program. The music is ducked, and restored.", processID: 6_341,
        begin: Loss.Event(text: "it activates its session, to speak above the music", time: time(0)),
        notifiedTime: time(1.110), gain: 0.2, cause: cause(6_341), lastLouderTime: time(56.217),
        end: Loss.Event(text: "it has spoken", time: later(0)), endNotifiedTime: later(1.791),
        firstLouderTime: later(55.864), before: 0.22, meanwhile: 0.044, after: 0.22, playedOn: true, sink: analog)

    static let death = Interruption(
        title: "6. A call again, whose program is killed. The music resumes all the same.", processID: 6_505,
        begin: Loss.Event(text: "it rings, and activates its session", time: time(0)), grantTime: time(6.778),
        notifiedTime: time(9.128), cause: cause(6_505), gateTime: time(4.506), pauseTime: time(4.588), quantum: 1024,
        rate: 48_000, lastLoudTime: time(20.578), during: silent(analog, 48_128),
        end: Loss.Event(text: "it is killed, and does not release its session", time: later(0)),
        endNotifiedTime: later(2.600), shouldResume: true,
        playTime: later(6.449), firstLoudTime: later(30.222))

    // Created anew each time, because a leak finder reports a permanent enum with several payloads.
    static var stories: [DemoStory] {
        [
            DemoTimeline.story(jack), DemoTimeline.story(usb), DemoTimeline.story(back), DemoTimeline.story(call),
            DemoTimeline.story(prompt), DemoTimeline.story(death),
        ]
    }
}
