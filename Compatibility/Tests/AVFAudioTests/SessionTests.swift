import AVFAudio
import AudioSessions
import Dispatch
import Testing

@testable import AppShapes
@testable import AudioSessionCore
@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Programs for iOS on a simulated laptop, without PipeWire.
    @Suite struct SessionTests {
        @Test func aScreenPausesOnUnplug() async throws {
            try await Laptop.with { laptop in
                let screen = PlayerScreen()
                let player = FakePlayer()
                screen.player = player
                try screen.setUp()
                player.isPlaying = true
                laptop.pullHeadphones()
                try await screen.received.wait(for: "the unplug") { !$0.isEmpty }
                #expect(screen.received.events == ["unplugged Headphones, main thread false"])
                #expect(!player.isPlaying)
                let now = AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType)
                #expect(now == [.builtInSpeaker])
            }
        }

        @Test func aScreenIsInterruptedAndResumes() async throws {
            try await Laptop.with { laptop in
                let screen = PlayerScreen()
                let player = FakePlayer()
                screen.player = player
                try screen.setUp()
                let film = try await laptop.another("Film")
                try await film.activate()
                try await screen.received.wait(for: "the interruption") { $0 == ["began"] }
                try await film.deactivate()
                try await screen.received.wait(for: "its end") { $0 == ["began", "ended, should resume"] }
                try AVAudioSession.sharedInstance().setActive(true)
                try await film.activate()
                try await film.deactivate([])
                try await screen.received.wait(for: "the other end") { $0.suffix(2) == ["began", "ended"] }
            }
        }

        @Test func aScreenOf2016PausesOnUnplug() async throws {
            try await Laptop.with { laptop in
                let screen = OldPlayerScreen()
                screen.setUp()
                #expect(screen.received.events == [])
                laptop.pullHeadphones()
                try await screen.received.wait(for: "the unplug") { !$0.isEmpty }
                #expect(screen.received.events == ["pulled, headphones true"])
                screen.tearDown()
            }
        }

        @Test func aCallControllerTakesItsTurn() async throws {
            try await Laptop.with { laptop in
                let music = try await laptop.another("Music")
                try await music.activate()
                let controller = CallController()
                try controller.configure()
                #expect(music.state == .active, "configuring activates nothing")
                try controller.begin()
                try controller.begin()
                #expect(music.state == .interrupted)
                #expect(controller.ports == ["Headphones: Headphones", "Virtual: Microphone"])
                try controller.setSpeaker(true)
                #expect(AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
                try controller.setSpeaker(false)
                try controller.end()
                #expect(music.state == .interrupted, "once is not enough")
                try controller.end()
                #expect(music.silenceReasons == [.advised])
            }
        }

        /// A desktop computer with a monitor has no built-in speaker, as every device with iOS has.
        @Test func aSpeakerButtonWithoutASpeakerLeavesTheRoute() async throws {
            let dump = """
                [{ "id": 41, "type": "PipeWire:Interface:Node", "info": { "props": {
                   "node.name": "monitor", "node.description": "Monitor", "media.class": "Audio/Sink" } } },
                 { "id": 33, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" },
                   "metadata": [{ "subject": 0, "key": "default.audio.sink", "value": { "name": "monitor" } }] }]
                """
            try await Laptop.with(FakeAudioSystem(PipeWireDump(json: dump.utf8))) { _ in
                let session = AVAudioSession.sharedInstance()
                let error = #expect(throws: NSError.self) { try session.overrideOutputAudioPort(.speaker) }
                #expect(error?.code == AVAudioSession.ErrorCode.incompatibleCategory.rawValue)
                let controller = CallController()
                try controller.configure()
                try controller.begin()
                let route = session.currentRoute
                try controller.setSpeaker(true)
                #expect(session.currentRoute == route && route.outputs.map(\.portName) == ["Monitor"])
                try controller.setSpeaker(false)
                try controller.end()
            }
        }

        @Test func interruptionsComeOnTheMainQueueAndRoutesDoNot() async throws {
            try await Laptop.with { laptop in
                let queues = EventLog<String>()
                DispatchQueue.main.setSpecific(key: Self.key, value: true)
                let names = [AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification]
                let tokens = names.map { name in
                    NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                        let isMain = DispatchQueue.getSpecific(key: Self.key) == true
                        queues.append("\(name.rawValue) \(isMain)")
                    }
                }
                try AVAudioSession.sharedInstance().setActive(true)
                laptop.pullHeadphones()
                try await queues.wait(for: "the route") { $0.count == 1 }
                let film = try await laptop.another("Film")
                try await film.activate()
                try await queues.wait(for: "the interruption") { $0.count == 2 }
                #expect(
                    queues.events == [
                        "AVAudioSessionRouteChangeNotification false", "AVAudioSessionInterruptionNotification true",
                    ])
                for token in tokens { NotificationCenter.default.removeObserver(token) }
            }
        }

        private static let key = DispatchSpecificKey<Bool>()

        /// Some programs configure an object of their own, and their players and recorders use the
        /// shared one.
        @Test func anotherObjectConcernsTheSameSession() async throws {
            try await Laptop.with { _ in
                try AVAudioSession().setCategory(.playAndRecord, mode: .voiceChat)
                let session = AVAudioSession.sharedInstance()
                #expect(session.category == .playAndRecord && session.mode == .voiceChat)
            }
        }

        @Test func illegalCombinationsHaveApplesNumberAndTheRule() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback, mode: .moviePlayback)
                let error = #expect(throws: NSError.self) {
                    try session.setCategory(.playback, options: .defaultToSpeaker)
                }
                #expect(error?.domain == NSOSStatusErrorDomain)
                #expect(error?.code == AVAudioSession.ErrorCode.badParam.rawValue)
                #expect(error?.localizedDescription.contains("defaultToSpeaker") == true)
                #expect(session.category == .playback)
                #expect(session.mode == .moviePlayback)
                for attempt in [
                    { try session.setCategory(.audioProcessing) }, { try session.setMode(.dualRoute) },
                    { try session.setMode(AVAudioSession.Mode(rawValue: "mine")) },
                    { try session.setCategory(.playback, options: .overrideMutedMicrophoneInterruption) },
                ] {
                    #expect(throws: NSError.self) { try attempt() }
                }
                #expect(session.mode == .moviePlayback)
            }
        }

        @Test func aPolicyThatTheNewCategoryDoesNotAllowIsReset() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                func setLongForm() throws {
                    try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
                }
                try setLongForm()
                try session.setCategory(.playback)
                #expect(session.routeSharingPolicy == .longFormAudio)
                try session.setCategory(.playAndRecord)
                #expect(session.category == .playAndRecord && session.routeSharingPolicy == .default)
                try setLongForm()
                try session.setCategory(.playback, options: .mixWithOthers)
                #expect(session.categoryOptions == .mixWithOthers && session.routeSharingPolicy == .default)
            }
        }

        @Test func whatDoesNothingIsKept() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(
                    .playAndRecord, mode: .videoChat, options: [.overrideMutedMicrophoneInterruption])
                #expect(session.categoryOptions.contains(.overrideMutedMicrophoneInterruption))
                #expect(session.categoryOptions.isSuperset(of: [.allowBluetoothHFP, .defaultToSpeaker]))
                #expect(session.prefersInterruptionOnRouteDisconnect)
                try session.setPrefersInterruptionOnRouteDisconnect(false)
                #expect(!session.prefersInterruptionOnRouteDisconnect)
            }
        }

        @Test func preferredNumbersAreTheSessions() async throws {
            try await Laptop.with { _ in
                let shared = AVAudioSession.sharedInstance()
                try shared.setCategory(.playAndRecord)
                try CallController().configure(.init(ioBufferDuration: 0.005))
                try shared.setPreferredOutputNumberOfChannels(1)
                let (_, session) = try shared.backendWhenKnown()
                #expect(session.preferredSampleRate == 48_000 && shared.preferredSampleRate == 48_000)
                #expect(session.preferredIOBufferDuration == .milliseconds(5))
                #expect(shared.preferredIOBufferDuration == 0.005)
                #expect(shared.ioBufferDuration == session.ioBufferDuration / .seconds(1))
                #expect(session.ioBufferDuration < .milliseconds(5))
                #expect(session.preferredOutputNumberOfChannels == 1 && shared.preferredOutputNumberOfChannels == 1)
                #expect(shared.outputNumberOfChannels == 1 && shared.maximumOutputNumberOfChannels == 2)
                try shared.setPreferredSampleRate(0)
                try shared.setPreferredIOBufferDuration(0)
                try shared.setPreferredOutputNumberOfChannels(0)
                #expect(session.preferredSampleRate == nil && session.preferredIOBufferDuration == nil)
                #expect(shared.preferredIOBufferDuration == 0 && shared.outputNumberOfChannels == 2)
            }
        }

        @Test func whatIsNoPreferenceIsRefused() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                try session.setActive(true)
                for attempt in [
                    { try session.setPreferredSampleRate(-1) }, { try session.setPreferredSampleRate(.nan) },
                    { try session.setPreferredSampleRate(1e300) }, { try session.setPreferredIOBufferDuration(-0.1) },
                    { try session.setPreferredIOBufferDuration(.nan) },
                    { try session.setPreferredIOBufferDuration(.infinity) },
                    { try session.setPreferredIOBufferDuration(2) },
                    { try session.setPreferredOutputNumberOfChannels(3) },
                ] {
                    let error = #expect(throws: NSError.self) { try attempt() }
                    #expect(error?.code == AVAudioSession.ErrorCode.badParam.rawValue)
                }
                let error = #expect(throws: NSError.self) { try session.setPreferredInputNumberOfChannels(1) }
                #expect(error?.code == AVAudioSession.ErrorCode.incompatibleCategory.rawValue)
                #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
            }
        }

        @Test func whatIsPreferredBeforeThereIsPipeWireIsPreferredThen() async throws {
            let system = try FakeLaptop.system()
            let session = AVAudioSession { _ in
                try await system.connect(.init(applicationName: "Program"))
            }
            try session.setPreferredIOBufferDuration(0.01)
            #expect(throws: NSError.self) { try session.setPreferredSampleRate(-1) }
            try session.setPreferredSampleRate(44_100)
            let (_, inner) = try session.backendWhenKnown()
            #expect(inner.preferredIOBufferDuration == .milliseconds(10) && inner.preferredSampleRate == 44_100)
            #expect(session.preferredSampleRate == 44_100)
        }

        @Test func withoutPipeWireConfigurationIsKeptAndActivationFails() throws {
            let session = AVAudioSession { _ in
                throw AudioSessionError(.mediaServicesFailed, "There is none.")
            }
            try session.setCategory(.playback)
            #expect(session.category == .playback)
            let error = #expect(throws: NSError.self) { try session.setActive(true) }
            #expect(error?.code == AVAudioSession.ErrorCode.mediaServicesFailed.rawValue)
            try session.setActive(false)
            #expect(session.currentRoute.outputs.isEmpty)
            #expect(!session.isInputAvailable)
        }

        @Test func aPipeWireThatStartsAfterTheProgramIsAReset() async throws {
            let system = try FakeLaptop.system()
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let session = AVAudioSession { waits in
                if !waits { throw AudioSessionError(.mediaServicesFailed, "There is none.") }
                for await _ in starts { break }
                return try await system.connect(.init(applicationName: "Program"))
            }
            let received = EventLog<String>()
            let token = NotificationCenter.default.addObserver(
                forName: AVAudioSession.mediaServicesWereResetNotification, object: session, queue: nil
            ) { received.append($0.name.rawValue) }
            #expect(throws: NSError.self) { try session.setActive(true) }
            #expect(received.events.isEmpty)
            start.yield()
            try await received.wait(for: "the reset") { !$0.isEmpty }
            try session.setActive(true)
            #expect(received.events.count == 1)
            NotificationCenter.default.removeObserver(token)
        }

        @Test func mediaServicesAreLostAndReset() async throws {
            try await Laptop.with { laptop in
                let received = EventLog<String>()
                let names = [
                    AVAudioSession.mediaServicesWereLostNotification,
                    AVAudioSession.mediaServicesWereResetNotification,
                ]
                let tokens = names.map { name in
                    NotificationCenter.default.addObserver(
                        forName: name, object: AVAudioSession.sharedInstance(), queue: nil
                    ) { received.append($0.name.rawValue) }
                }
                try AVAudioSession.sharedInstance().setCategory(.playback)
                laptop.system.fail()
                laptop.system.restart()
                try await received.wait(for: "lost and reset") { $0 == names.map(\.rawValue) }
                #expect(AVAudioSession.sharedInstance().category == .playback)
                for token in tokens { NotificationCenter.default.removeObserver(token) }
            }
        }

        @Test func aPortThatIsNotInUseChangesNoDataSource() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                let headphones = try #require(session.currentRoute.outputs.first)
                try headphones.setPreferredDataSource(nil)
                laptop.pullHeadphones()
                let error = #expect(throws: NSError.self) { try headphones.setPreferredDataSource(nil) }
                #expect(error?.code == AVAudioSession.ErrorCode.resourceNotAvailable.rawValue)
                try #require(session.currentRoute.outputs.first).setPreferredDataSource(nil)
            }
        }

        /// The desktop asks for it while a command waits.
        @Test func theManagerIsKnownOnceTheSessionIsConnected() async throws {
            try await Laptop.with { _ in
                #expect(AVAudioSession.connectedManager == nil)
                #expect(AVAudioSession.sharedInstance().isInputAvailable)
                #expect(AVAudioSession.connectedManager?.availableInputs.isEmpty == false)
            }
        }

        @Test func inputsComeAndGo() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                #expect(session.availableInputs?.isEmpty == true, "soloAmbient does not record")
                try session.setCategory(.record)
                let input = try #require(session.availableInputs?.first)
                try session.setPreferredInput(input)
                #expect(session.preferredInput == input)
                #expect(session.currentRoute.inputs == [input])
                #expect(session.currentRoute.outputs.isEmpty)
                let received = EventLog<String>()
                let token = NotificationCenter.default.addObserver(
                    forName: AVAudioSession.availableInputsChangeNotification, object: session, queue: nil
                ) { received.append($0.name.rawValue) }
                laptop.pullHeadphones()
                laptop.system.send(.disappeared(ObjectID(42)))
                try await received.wait(for: "the microphone's end") { !$0.isEmpty }
                #expect(received.events.count == 1, "an output is no input")
                #expect(!session.isInputAvailable)
                #expect(!session.availableCategories.contains(.record))
                NotificationCenter.default.removeObserver(token)
            }
        }
    }
}

private final class FakePlayer: PlayerScreen.Playable {
    var isPlaying = false

    func play() -> Bool {
        isPlaying = true
        return true
    }
    func pause() { isPlaying = false }
}
