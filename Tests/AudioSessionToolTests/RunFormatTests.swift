import AudioSessionCore
import AudioSessionPlayback
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTool

private let format = {
    var format = HardwareFormat()
    (format.sampleRate, format.ioBufferDuration) = (48000, .microseconds(5333))
    (format.inputLatency, format.outputLatency) = (.milliseconds(6), .milliseconds(7))
    (format.inputNumberOfChannels, format.outputNumberOfChannels) = (1, 2)
    (format.maximumInputNumberOfChannels, format.maximumOutputNumberOfChannels) = (3, 4)
    return format
}()

/// The text of each line is a contract with other programs: a change that fails here breaks them.
@Suite struct RunFormatTests {
    private static let id = AudioSession.ID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11")!
    private static let cause = AudioSession.Peer(session: id, applicationName: "phone", processID: 7)
    private static let by = #"{"session":"\#(id)","application":"phone","pid":7}"#
    private static let unnamed = AudioSession.Peer(session: id)

    @Test func theFirstLineHasTheSession() {
        #expect(
            RunFormat.ready("u", at: .milliseconds(1)).description
                == #"{"t":1000000,"event":"ready","session":"u","protocol":1,"format":1}"#)
    }

    private static let events: [(AudioSession.Event, String)] = [
        (.stateChanged(.interrupted), #""event":"stateChanged","state":"interrupted""#),
        (
            .interruptionBegan(reason: .default, by: cause, at: .milliseconds(1)),
            #""event":"interruptionBegan","reason":"default","by":\#(by)"#
        ),
        (
            .interruptionEnded(options: .shouldResume, at: .milliseconds(1)),
            #""event":"interruptionEnded","shouldResume":true"#
        ),
        (
            .interruptionEnded(options: [], at: .milliseconds(1)),
            #""event":"interruptionEnded","shouldResume":false"#
        ),
        (.ducking(gain: 0.2, by: [cause]), #""event":"ducking","gain":0.2,"by":[\#(by)]"#),
        (.ducking(gain: 1, by: []), #""event":"ducking","gain":1.0,"by":[]"#),
        (
            .resumeAdvice(reason: .routeRestored, at: .milliseconds(1)),
            #""event":"resumeAdvice","reason":"routeRestored""#
        ),
        (.silenceSecondaryAudioHint(.begin), #""event":"silenceSecondaryAudioHint","type":"begin""#),
        (.silenceSecondaryAudioHint(.end), #""event":"silenceSecondaryAudioHint","type":"end""#),
        (
            .outputVolumeChanged(previous: .init(level: 0.4), current: .init(level: 0.25, isMuted: true)),
            #""event":"outputVolumeChanged","volume":0.25,"muted":true,"previous":{"volume":0.4,"muted":false}"#
        ),
        (
            .inputGainChanged(previous: 1, current: 0.5),
            #""event":"inputGainChanged","gain":0.5,"previous":1.0"#
        ),
        (
            .hardwareFormatChanged(
                previous: .init(), current: format),
            #""event":"hardwareFormatChanged","sampleRate":48000,"ioBufferDuration":0.005333,"inputLatency":0.006,"#
                + #""outputLatency":0.007,"inputChannels":1,"outputChannels":2,"maximumInputChannels":3,"#
                + #""maximumOutputChannels":4,"previous":{"sampleRate":0,"ioBufferDuration":0.0,"inputLatency":0.0,"#
                + #""outputLatency":0.0,"inputChannels":0,"outputChannels":0,"maximumInputChannels":0,"#
                + #""maximumOutputChannels":0}"#
        ),
        (.mediaServicesLost(at: .never), #""event":"mediaServicesLost""#),
        (
            .silenceReasonsChanged([.muted], at: .never),
            #""event":"silenceReasonsChanged","audible":false,"causes":[{"kind":"muted"}]"#
        ),
        (
            .becameNoisy(.sample(.headphones, "H", "h"), at: .milliseconds(1)),
            #""event":"becameNoisy","port":{"type":"headphones","name":"H","uid":"h","uncertain":false}"#
        ),
    ]

    @Test(arguments: events)
    func eventsHaveTheirKeys(event: AudioSession.Event, keys: String) {
        let time = event.hasOwnTime ? 1_000_000 : 0
        #expect(RunFormat.event(event).description == "{\"t\":\(time),\(keys)}")
    }

    @Test func repliesReportSuccessOrTheError() {
        func text(_ result: Result<[(String, JSONValue)], RunFailure>) -> String {
            RunFormat.reply("activate", result, at: .milliseconds(1)).description
        }
        #expect(text(.success([])) == #"{"t":1000000,"reply":"activate","ok":true}"#)
        #expect(
            text(.failure(RunFailure(AudioSessionError(.insufficientPriority, "No."))))
                == #"{"t":1000000,"reply":"activate","ok":false,"error":"insufficientPriority","#
                + #""code":561017449,"message":"No. The command 'why' shows its state."}"#)
        #expect(
            text(.failure(RunFailure(AudioSessionError(.fileNotFound, "No."))))
                == #"{"t":1000000,"reply":"activate","ok":false,"error":"fileNotFound","message":"No."}"#)
    }

    @Test func aStateHasTheConfigurationInEffect() {
        let call = AudioSessionConfiguration(.playAndRecord, mode: .voiceChat, options: [.duckOthers])
        #expect(
            JSONValue.object(RunFormat.state(.active, call, gain: 0.2, isPlaying: true, isRecording: false))
                .description
                == #"{"state":"active","category":"playAndRecord","mode":"voiceChat","options":["duckOthers"],"#
                + #""priority":"communication","gain":0.2,"playing":true,"recording":false}"#)
    }

    @Test(
        arguments: [
            ([], #"{"audible":true,"causes":[]}"#),
            ([.inactive], #"{"audible":false,"causes":[{"kind":"inactive"}]}"#),
            (
                [.interrupted(by: [cause, unnamed])],
                #"{"audible":false,"causes":[{"kind":"interrupted","by":\#(by)},"#
                    + #"{"kind":"interrupted","by":{"session":"\#(id)","application":null,"pid":null}}]}"#
            ),
            (
                [.ducked(gain: 0.2, by: [cause])],
                #"{"audible":true,"causes":[{"kind":"ducked","by":\#(by),"gain":0.2}]}"#
            ),
            (
                [.silentMode, .muted, .ducked(gain: 0.2, by: [])],
                #"{"audible":false,"causes":[{"kind":"silentMode"},{"kind":"muted"},{"kind":"ducked","gain":0.2}]}"#
            ),
            (
                [.daemonLost, .advised, .routeLost, .paused],
                #"{"audible":false,"causes":[{"kind":"daemonLost"},{"kind":"advised"},{"kind":"routeLost"},"#
                    + #"{"kind":"paused"}]}"#
            ),
        ] as [([AudioSession.SilenceReason], String)])
    func silenceHasItsCauses(silence: [AudioSession.SilenceReason], text: String) {
        #expect(JSONValue.object(RunFormat.why(silence)).description == text)
    }

    @Test func anOverviewListsTheSessionsThatMaySound() {
        let music = SoundOverview.Session(
            id: .init(session: Self.id, applicationName: "music", processID: 3),
            traits: TokenTraits(isSpokenAudio: true),
            state: .interrupted, interruptedBy: [Self.cause])
        var nav = SoundOverview.Session(
            id: Self.unnamed, traits: TokenTraits(priority: .alarm, group: "g", duckedGain: 200), gain: 0.5,
            duckedBy: [Self.cause])
        nav.isMuted = true
        var stream = SoundOverview.Stream(
            node: ObjectID(40), name: "film", application: "mpv", processID: 9, isRunning: true, ports: [.speakers])
        stream.isMuted = true
        var game = SoundOverview.Session(
            id: .init(session: Self.id, applicationName: "game", processID: 4), traits: TokenTraits(isMixable: true))
        game.isSilenced = true
        var overview = SoundOverview(
            sessions: [music, nav], streams: [stream], malformedTokens: 1, surplusTokens: 2)
        overview.isSilentMode = true
        #expect(
            JSONFormat.overview(overview, at: .milliseconds(1)).description
                == #"{"t":1000000,"format":1,"silentMode":true,"#
                + #""sessions":[{"session":"\#(Self.id)","application":"music","pid":3,"#
                + #""priority":"media","group":null,"mixes":false,"ducks":false,"speaks":true,"prompts":false,"#
                + #""records":false,"state":"interrupted","interruptedBy":[\#(Self.by)],"gain":1.0,"duckedBy":[],"#
                + #""causes":[{"kind":"interrupted","by":\#(Self.by)}]},"#
                + #"{"session":"\#(Self.id)","application":null,"pid":null,"priority":"alarm","group":"g","mixes":true,"#
                + #""ducks":true,"speaks":false,"prompts":false,"records":false,"state":"active","#
                + #""interruptedBy":[],"gain":0.5,"duckedBy":[\#(Self.by)],"causes":[{"kind":"muted"},"#
                + #"{"kind":"ducked","by":\#(Self.by),"gain":0.5}]}],"streams":[{"node":40,"#
                + #""name":"film","application":"mpv","pid":9,"running":true,"muted":true,"ports":[{"type":"builtInSpeaker","#
                + #""name":"Speakers","uid":"card/speaker","uncertain":false}]}],"#
                + #""malformedTokens":1,"surplusTokens":2}"#)
        overview.sessions.append(game)
        #expect(
            overview.lines == [
                "Audio sessions, the newest first",
                "  game (4): media, mixes — active, silenced by silent mode",
                "  an unknown program: alarm, mixes, ducks others, group g"
                    + " — active, its output is muted, ducked to 0.5 by phone (7)",
                "  music (3): media, alone, speech — interrupted by phone (7)", "",
                "Streams of programs without a session", "  mpv (9): “film” plays to Speakers, muted",
            ])
        #expect(SoundOverview().lines == ["No program has an audio session"])
    }
}

extension AudioSession.Event {
    /// Whether the event has a time of its own. The tests create the others without one.
    fileprivate var hasOwnTime: Bool {
        switch self {
        case .interruptionBegan, .interruptionEnded, .resumeAdvice, .becameNoisy: true
        default: false
        }
    }
}
