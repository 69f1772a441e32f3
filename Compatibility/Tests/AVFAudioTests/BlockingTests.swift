import AudioSessions
import Dispatch
import Testing

@testable import AVFAudio
@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Calls that wait, where waiting is dangerous.
    @Suite struct BlockingTests {
        @Test func theMainThreadMayWait() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                let isDone = await withCheckedContinuation { answer in
                    DispatchQueue.main.async {
                        let isDone = (try? session.setActive(true)) != nil && !session.currentRoute.outputs.isEmpty
                        answer.resume(returning: isDone)
                    }
                }
                #expect(isDone)
            }
        }

        @Test func everyThreadOfThePoolMayWait() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                #expect(Self.withStarvedPool { try? session.setActive(true) })
                try await session.deactivate()
            }
        }

        /// Runs `body` while as many tasks wait as Swift's pool may have threads.
        ///
        /// - Returns: whether it ended.
        private static func withStarvedPool(_ body: @escaping @Sendable () -> Void) -> Bool {
            let (release, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let count = 4 * ProcessInfo.processInfo.activeProcessorCount
            for _ in 0..<count { Task.detached { Self.wait(for: release) } }
            Thread {
                body()
                done.signal()
            }.start()
            defer { for _ in 0..<count { release.signal() } }
            return done.wait(timeout: .now() + 20) == .success
        }

        private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

        @Test func pipeWiresOwnThreadMayNotWait() async throws {
            try await Laptop.with { laptop in
                let shared = AVAudioSession.sharedInstance()
                let (_, session) = try shared.backendWhenKnown()
                let codes = EventLog<Int>()
                let observation = session.observe { event in
                    guard case .stateChanged(.active, _) = event else { return }
                    do { try shared.setActive(false) } catch { codes.append((error as NSError).code) }
                }
                try await session.activate()
                #expect(codes.events == [AVAudioSession.ErrorCode.unspecified.rawValue])
                #expect(session.state == .active)
                withExtendedLifetime(observation) {}
            }
        }

        /// The handler is called while another thread waits in `setCategory`.
        @Test func pipeWiresOwnThreadMayNotConfigureDuringAConfiguration() async throws {
            try await Laptop.with { _ in
                let shared = AVAudioSession.sharedInstance()
                try shared.setCategory(.playback)
                try shared.setActive(true)
                let (_, session) = try shared.backendWhenKnown()
                let codes = EventLog<Int>()
                let observation = session.observe { event in
                    guard case .routeChanged = event else { return }
                    do { try shared.setCategory(.ambient) } catch { codes.append((error as NSError).code) }
                }
                try shared.setCategory(.playAndRecord)
                #expect(Set(codes.events) == [AVAudioSession.ErrorCode.unspecified.rawValue])
                #expect(shared.category == .playAndRecord && session.configuration.category == .playAndRecord)
                withExtendedLifetime(observation) {}
            }
        }

        @Test func aConfigurationDoesNotWaitWithoutEndForAnotherOne() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                Thread {
                    try? session.implementation.configure {
                        begun.signal()
                        // The limit lets the test end if the other call waits without end.
                        _ = release.wait(timeout: .now() + 20)
                    }
                }.start()
                defer { release.signal() }
                Self.wait(for: begun)
                let error = #expect(throws: NSError.self) { try session.setCategory(.ambient) }
                #expect(error?.code == AVAudioSession.ErrorCode.mediaServicesFailed.rawValue)
                #expect(session.category == .playback)
            }
        }

        @Test func aHandlerOfActivationMayWait() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                let results = EventLog<Bool>()
                session.activate(options: []) { isActive, _ in
                    results.append(isActive)
                    results.append((try? session.setActive(false)) != nil)
                }
                try await results.wait(for: "the deactivation in the handler") { $0.count == 2 }
                #expect(results.events == [true, true])
            }
        }

        @Test func anOverrideOfActivationMayNotWaitForItself() async throws {
            let session = BlockingSession(on: try FakeLaptop.system())
            let codes = EventLog<Int>()
            session.activate(options: []) { _, error in codes.append((error as NSError?)?.code ?? 0) }
            try await codes.wait(for: "the refusal") { !$0.isEmpty }
            #expect(codes.events == [AVAudioSession.ErrorCode.unspecified.rawValue])
            try session.setActive(true)
            #expect(session.currentRoute.outputs.count == 1, "other threads may wait")
        }

        /// A session cannot be made, for example, with a group in the environment that is too long.
        @Test func everyCallOfASessionThatCannotBeMadeFails() async throws {
            let system = try FakeLaptop.system()
            let session = AVAudioSession { _ in try await system.connect(.init(applicationName: "Program")) }
            session.implementation.state.withLock { $0.preferences.sampleRate = -1 }
            for _ in 1...2 {
                let error = #expect(throws: NSError.self) { try session.setActive(true) }
                #expect(error?.code == AVAudioSession.ErrorCode.badParam.rawValue)
            }
        }

        @Test func manyThreadsAtOnce() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                let failures = Locked(0)
                DispatchQueue.concurrentPerform(iterations: 40) { index in
                    do {
                        try session.setCategory(index.isMultiple(of: 2) ? .playback : .playAndRecord)
                        try session.setActive(!index.isMultiple(of: 3))
                    } catch {
                        failures.withLock { $0 += 1 }
                    }
                }
                #expect(failures.withLock(\.self) == 0)
                let (_, inner) = try session.backendWhenKnown()
                #expect(session.category.rawValue == inner.configuration.category.rawValue)
            }
        }
    }
}

/// A program's session whose asynchronous function calls functions that block. A subclass restates
/// the conformance of its superclass.
private final class BlockingSession: AVAudioSession, @unchecked Sendable {
    init(on system: FakeAudioSystem) {
        super.init { _ in try await system.connect(.init(applicationName: "Program")) }
    }

    override func activate(options: AVAudioSession.ActivationOptions = []) async throws -> Bool {
        _ = currentRoute
        try setActive(true)
        return true
    }
}
