import AVFAudio
import AudioSessions
import Testing

@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// The notifications of iOS 27, and sequences of notifications.
    @Suite struct LifeCycleTests {
        private static let names = [
            AVAudioSession.didBecomeActiveNotification, AVAudioSession.didBecomeInactiveNotification,
            AVAudioSession.resumptionRecommendationNotification,
        ]

        private static func describe(_ notification: Notification) -> String {
            let info = notification.userInfo
            if let context = info?[AVAudioSession.deactivationContextKey] as? AVAudioSession.DeactivationContext {
                let reason = context.interruptionContext.map { " \($0.reason)" } ?? ""
                return "inactive by \(context.source)\(reason)"
            }
            if let context = info?[AVAudioSession.resumptionContextKey] as? AVAudioSession.ResumptionContext {
                return "\(context.recommendation)"
            }
            return notification.name == AVAudioSession.didBecomeActiveNotification && info == nil ? "active" : "?"
        }

        @Test func aSessionReportsWhetherItIsActive() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                let delivered = EventLog<String>()
                let tokens = Self.names.map { name in
                    NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                        delivered.append(Self.describe($0))
                    }
                }
                try session.setCategory(.playback)
                try session.setActive(true)
                try session.setCategory(.playback, mode: .moviePlayback)
                try session.setActive(false)
                try session.setActive(true)
                let film = try await laptop.another("Film")
                try await film.activate()
                try await film.deactivate()
                try session.setActive(true)
                try await film.activate()
                try await film.deactivate([])
                let expected = [
                    "active", "inactive by app", "active", "inactive by system default", "shouldResume", "active",
                    "inactive by system default", "shouldNotResume",
                ]
                try await delivered.wait(for: "all of it") { $0.count == expected.count }
                #expect(delivered.events == expected)
                for token in tokens { NotificationCenter.default.removeObserver(token) }
            }
        }

        /// The desktop shows a program as paused that another one has interrupted.
        @Test func theDesktopIsNotifiedOfInterruptions() async throws {
            try await Laptop.with { laptop in
                let statuses = EventLog<ProgramPlayback.Status>()
                let playback = AVAudioSession.playback
                playback.observe { [weak playback] in if let playback { statuses.append(playback.status) } }
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                try session.setActive(true)
                let film = try await laptop.another("Film")
                try await film.activate()
                try await statuses.wait(for: "the interruption") { $0 == [.paused] }
                try await film.deactivate()
                try session.setActive(true)
                try await statuses.wait(for: "the activation") { $0 == [.paused, .unknown] }
                try session.setActive(false)
                try await statuses.wait(for: "the deactivation") { $0 == [.paused, .unknown, .paused] }
            }
        }

        @Test func activationReportsToAHandler() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                let results = EventLog<String>()
                @Sendable func report(_ isDone: Bool, _ error: (any Error)?) {
                    results.append("\(isDone) \((error as NSError?)?.code ?? 0)")
                }
                let call = try await laptop.another("Call", .init(.playAndRecord, mode: .voiceChat))
                session.activate(options: []) { report($0, $1) }
                try await results.wait(for: "the activation") { $0.count == 1 }
                session.deactivate(options: .notifyOthersOnDeactivation) { report($0, $1) }
                try await results.wait(for: "the deactivation") { $0.count == 2 }
                try await call.activate()
                session.activate(options: []) { report($0, $1) }
                try await results.wait(for: "the refusal") { $0.count == 3 }
                #expect(results.events == ["true 0", "true 0", "false 561017449"])
            }
        }

        @Test func loopsReceiveNotificationsOfTheirNameAndSender() async throws {
            let center = NotificationCenter()
            let (name, sender) = (Notification.Name("mine"), NSNumber(value: 1))
            let sequence = center.notifications(named: name, object: sender)
            var first = sequence.makeAsyncIterator()
            var second = sequence.makeAsyncIterator()
            center.post(name: Notification.Name("other"), object: sender)
            center.post(name: name, object: NSNumber(value: 2))
            center.post(name: name, object: sender, userInfo: ["key": 7])
            for received in [await first.next(), await second.next()] {
                #expect(received?.name == name && received?.userInfo?["key"] as? Int == 7)
            }
            for number in 0..<100 { center.post(name: name, object: sender, userInfo: ["key": number]) }
            #expect(await first.next()?.userInfo?["key"] as? Int == 36, "the newest 64 are kept")
        }

        @Test func aCancelledLoopEnds() async {
            let center = NotificationCenter()
            let task = Task {
                for await _ in center.notifications(named: Notification.Name("mine")) {}
                return true
            }
            task.cancel()
            #expect(await task.value)
        }
    }
}
