import AudioSessionCore
import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Another program is killed or stopped at each step of its exchanges: after each message that it
/// sends to PipeWire, and at each event that it receives.
@Suite(.liveFirst, .timeLimit(.minutes(10))) struct PeerTests {
    private static let program = testProgram("session-peer")
    private static let steps = 200

    @Test func aPeerIsKilledAtEachStep() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        var kills = 0
        for step in 1...Self.steps {
            music.received.clear()
            try await music.session.activate()
            let peer = try await pipeWire.launch(Self.program, [pipeWire.remote, "kill", "\(step)"], log: "peer")
            let end = await peer.exited()
            try await music.expectUnaffected(on: pipeWire, "killed at step \(step)")
            try await music.session.deactivate()
            if end == .code(0) { break }
            #expect(end == .signal(SIGKILL))
            kills += 1
        }
        // Seven calls, each with a message and an event.
        #expect((14..<Self.steps).contains(kills))
        print("peers: killed at each of \(kills) steps")
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func aPeerIsStoppedAtEachStep() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        var stops = 0
        // The number of steps of a run depends on when events of others arrive.
        for step in 1...60 {
            music.received.clear()
            let peer = try await pipeWire.launch(Self.program, [pipeWire.remote, "stop", "\(step)"], log: "peer")
            let isStopped = try await peer.waitUntilStopped()
            try await music.session.activate()
            #expect(music.session.state == .active, "stopped at step \(step)")
            try await music.session.deactivate()
            if isStopped { peer.signal(SIGCONT) }
            #expect(await peer.exited() == .code(0), "stopped at step \(step)")
            try await music.expectUnaffected(on: pipeWire, "stopped at step \(step)")
            try await music.session.deactivate()
            if isStopped { stops += 1 }
        }
        // Seven calls, each with a message and an event.
        #expect(stops >= 14)
        print("peers: stopped at \(stops) of 60 steps")
        await music.manager.close()
        await pipeWire.stop()
    }

    /// The calls are made in Swift. `ForkTests` use the C ABI.
    @Test func eachCallInAForkedChildFailsAtOnce() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let peer = try await pipeWire.launch(Self.program, [pipeWire.remote, "fork", "0"], log: "peer")
        #expect(await peer.exited() == .code(0))
        await pipeWire.stop()
    }

    /// PipeWire's own configuration decides which client is restricted, and reports it to all.
    @Test(arguments: [false, true])
    func aSandboxedProgramIsMediaUnlessItIsAllowedMore(isAllowed: Bool) async throws {
        // It restricts by program before 1.0, and by socket since.
        let isOld = AudioSessionManager.pipeWireVersion.hasPrefix("0.")
        var options = PrivatePipeWire.Options()
        if isOld { options.restrictedPrograms = [testProgram("session-crowd")] }
        if isOld && isAllowed { options.allowedPrograms = options.restrictedPrograms }
        let pipeWire = try await PrivatePipeWire(options)
        let music = try await MusicProgram(on: pipeWire)
        let remote = isOld || isAllowed ? pipeWire.remote : pipeWire.restrictedRemote
        let alarm = try await Crowd(.alarm, sessions: 1, in: 1, on: pipeWire, remote: remote)
        try await music.wait(for: "the alarm") { $0.sessions.count == 1 }
        #expect(await music.manager.overview.sessions.map(\.traits.priority) == [isAllowed ? .alarm : .media])
        if isAllowed {
            let error = await #expect(throws: AudioSessionError.self) { try await music.session.activate() }
            #expect(error?.code == .insufficientPriority)
        } else {
            try await music.session.activate()
        }
        await alarm.kill()
        try await music.expectUnaffected(on: pipeWire, "the alarm has ended")
        await music.manager.close()
        await pipeWire.stop()
    }
}

extension PrivatePipeWire.Options {
    static var withoutSessionManager: Self {
        var options = Self()
        options.hasSessionManager = false
        return options
    }
}

extension ChildProcess {
    /// Waits until it is stopped, or has ended.
    func waitUntilStopped() async throws -> Bool {
        var isStopped = false
        try await waitUntil("\(name) is stopped or has ended") {
            let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
            // Its name is in parentheses, and its state follows.
            isStopped = status?.split(separator: ")").last?.hasPrefix(" T") == true
            return isStopped || exitStatus != nil
        }
        return isStopped
    }
}
