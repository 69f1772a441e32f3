import AudioSessions

@testable import AudioSessionTool

/// What the run in Docs/Demo.md measured, event at a round number of seconds.
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
        playTime: time(-1040.618), firstLoudTime: time(-1025.286),
        event: Loss.Event(text: "the headphones are pulled out of the jack", time: time(0)), newsTime: time(0.983),
        gateTime: time(1.037), noisyTime: time(3.753), pauseTime: time(3.783),
        routeChange: change(headphones, speakers, time(9.3)), routeTime: time(9.331), quantum: 1024, rate: 48_000,
        isSinkLeft: true,
        old: Loss.Listening(sink: analog, frames: 98_304, loudFrames: 50_176, lastLoudTime: time(20.027)),
        others: [silent(hdmi, 98_304)], endTime: time(1007.461))

    static let usb = Loss(
        title: "2. A headset on USB. Its sink goes with it.", file: "melody.wav", port: "Virtual USB Headset",
        playTime: time(-1045.440), firstLoudTime: time(-1025.542),
        event: Loss.Event(text: "the headset is pulled out of the USB socket", time: time(0)), newsTime: time(3.696),
        gateTime: time(3.707), noisyTime: time(7.399), pauseTime: time(7.436),
        routeChange: change(headset, speakers, time(7.4)), routeTime: time(7.449), quantum: 1024, rate: 48_000,
        isSinkLeft: false,
        old: Loss.Listening(
            sink: "Virtual USB Headset Analog Stereo", frames: 50_176, loudFrames: 49_152,
            lastLoudTime: time(-1.563)),
        others: [silent(analog, 99_328), silent(hdmi, 99_328)], endTime: time(1012.992))

    static let back = Return(
        title: "3. Headphones in the jack again.",
        event: Loss.Event(text: "the headphones are plugged in", time: time(0)),
        route: change(speakers, headphones, time(11.275), .newDeviceAvailable),
        before: [silent(analog, 48_128), silent(hdmi, 48_128)], isStillPaused: true, playTime: time(1021.713),
        firstLoudTime: time(1057.514), port: "Headphones", sink: analog)

    /// What came at the end of a turn is counted from there.
    static func later(_ milliseconds: Double) -> MonotonicTime { time(2000 + milliseconds) }

    static func cause(_ process: Int) -> AudioSession.Cause {
        AudioSession.Cause(session: "s", applicationName: "audiosession", processID: process)
    }

    static let call = Interruption(
        title: "4. A call, in another program. The music stops, and comes back.", processID: 22_412,
        begin: Loss.Event(text: "it rings, and asks for the sound", time: time(0)), grantTime: time(1.872),
        toldTime: time(3.446), cause: cause(22_412), gateTime: time(0.914), pauseTime: time(0.991), quantum: 1024,
        rate: 48_000, lastLoudTime: time(18.072), during: silent(analog, 48_128),
        end: Loss.Event(text: "it hangs up", time: later(0)), endToldTime: later(1.771), shouldResume: true,
        playTime: later(5.540), firstLoudTime: later(14.027))

    static let prompt = Ducking(
        title: "5. A spoken prompt, in another program. The music is lowered, and rises again.", processID: 22_537,
        begin: Loss.Event(text: "it asks to be heard above the music", time: time(0)), toldTime: time(1.005),
        gain: 0.2, cause: cause(22_537), lastLouderTime: time(52.459),
        end: Loss.Event(text: "it has spoken", time: later(0)), endToldTime: later(1.884),
        firstLouderTime: later(61.835), before: 0.22, meanwhile: 0.044, after: 0.22, playedOn: true, sink: analog)

    static let death = Interruption(
        title: "6. A call again, whose program is killed. The music comes back even so.", processID: 22_630,
        begin: Loss.Event(text: "it rings, and asks for the sound", time: time(0)), grantTime: time(1.603),
        toldTime: time(4.314), cause: cause(22_630), gateTime: time(1.115), pauseTime: time(1.182), quantum: 1024,
        rate: 48_000, lastLoudTime: time(11.606), during: silent(analog, 48_128),
        end: Loss.Event(text: "it is killed, and can say nothing any more", time: later(0)),
        endToldTime: later(1.973), shouldResume: true, playTime: later(3.161), firstLoudTime: later(13.009))

    static let stories = [
        DemoTimeline.story(jack), DemoTimeline.story(usb), DemoTimeline.story(back), DemoTimeline.story(call),
        DemoTimeline.story(prompt), DemoTimeline.story(death),
    ]
}
