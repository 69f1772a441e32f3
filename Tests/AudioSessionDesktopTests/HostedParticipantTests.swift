import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// What a session and its manager report to the streams of a hosted program, and the reverse.
@Suite(.timeLimit(.minutes(10))) struct HostedParticipantTests {
    /// The host receives the session's own events by another sequence, and perhaps earlier. Its
    /// program would stay muted.
    @Test func theLossOfPipeWireEndsTheDangerToTheOutput() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let participant = HostedParticipant(of: session)
        participant.update(ParticipantFacts(), lost: nil)
        try await waitUntil("it has joined the session") { participant.reported != nil }
        participant.receive(RouteInput.endangered)
        system.fail()
        participant.leave()
        var events: [HostedProgramStateMachine.Event] = []
        for await event in participant.events { events.append(event) }
        #expect(events.count == 3 && events.last == .outputKept, "\(events)")
        #expect(events.contains(.gateTriggersChanged([])), "a restarted PipeWire may use their numbers again")
    }

    /// The host can know the streams of a restarted PipeWire before the manager is connected again.
    @Test func streamsThatJoinWithoutPipeWireAreFollowedAfterItsRestart() async throws {
        let system = try FakeLaptop.system(with: [.headphones, .headset])
        system.send(.linkAppeared(Link(id: ObjectID(70), outputNode: ObjectID(40), inputNode: ObjectID(41))))
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        system.fail()
        let participant = HostedParticipant(of: session)
        var facts = ParticipantFacts()
        facts.streams = [ObjectID(40)]
        participant.update(facts, lost: nil)
        try await waitUntil("it has joined the session") { participant.reported != nil }
        #expect(participant.facts.streams == [])
        system.restart()
        system.advance(by: .seconds(2))
        try await waitUntil("the session follows its stream") { participant.reported == facts }
        system.advance(by: .seconds(1))
        #expect(session.currentRoute.outputs.first?.type == .headphones)
        participant.leave()
    }

    /// Attached streams that a loss silenced would otherwise stay muted in an inactive session.
    @Test(arguments: [false, true])
    func aProgramThatDeactivatesItsInactiveSessionDismissesALoss(isAttached: Bool) async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        try await session.activate()
        try await session.deactivate()
        let participant = HostedParticipant(of: session, isAttached: isAttached)
        participant.update(ParticipantFacts(), lost: nil)
        try await waitUntil("it has joined the session") { participant.reported != nil }
        try await session.deactivate()
        participant.leave()
        var isDismissed = false
        for await event in participant.events { if case .lossDismissed = event { isDismissed = true } }
        #expect(isDismissed == isAttached)
    }

    /// The host may handle the new state of the session before the loss.
    @Test func anActivationDismissesALossOfAttachedStreamsButAConfigurationDoesNot() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let participant = HostedParticipant(of: session, isAttached: true)
        participant.update(ParticipantFacts(), lost: nil)
        try await waitUntil("it has joined the session") { participant.reported != nil }
        let output = PortDescription(type: .headphones, name: "Headphones", uid: "headphones", direction: .output)
        participant.receive(RouteInput.becameNoisy(output, at: MonotonicTime(nanoseconds: 1)))
        try await session.activate()
        try await session.setCategory(.playback, options: .duckOthers)
        participant.leave()
        var order: [String] = []
        for await event in participant.events {
            switch event {
            case .outputLost: order.append("lost")
            case .lossDismissed: order.append("dismissed")
            default: break
            }
        }
        #expect(order == ["lost", "dismissed"])
    }

    /// A program may change its streams faster than the thread of its session can follow.
    @Test func factsThatChangeWhileTheSessionIsBusyAreReportedOnce() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let participant = HostedParticipant(of: session)
        var facts = ParticipantFacts()
        facts.streams = [ObjectID(40)]
        let reports = await session.whileBusy { [facts] in
            [participant.update(ParticipantFacts(), lost: nil), participant.update(facts, lost: nil)]
        }
        #expect(reports.map { $0 == nil } == [false, true])
        await reports[0]?.value
        #expect(participant.reported == facts)
        #expect(participant.update(facts, lost: nil) == nil, "the session knows them")
        await participant.leave().value
    }

    /// Other programs can change the output at any rate meanwhile.
    @Test func aHostThatHangsKeepsALossAndAFewEvents() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let participant = HostedParticipant(of: session)
        let time = MonotonicTime(nanoseconds: 1)
        let lost = PortDescription(type: .headphones, name: "Headphones", uid: "headphones", direction: .output)
        participant.receive(RouteInput.becameNoisy(lost, at: time))
        for number in 1...1000 {
            participant.receive(RouteInput.endangered)
            participant.receive(RouteInput.gateTriggers([ObjectID(UInt32(number))]))
        }
        participant.receive(RouteInput.kept)
        participant.leave()
        var events: [HostedProgramStateMachine.Event] = []
        for await event in participant.events { events.append(event) }
        #expect(events.count <= HostedOutputEvents.limit)
        #expect(events.first == .outputLost("headphones", at: time))
        #expect(events.contains(.gateTriggersChanged([ObjectID(1000)])))
        #expect(events.last == .outputKept)
    }

    /// Its host may read the session, or hand it on, as soon as the program is closed.
    @Test func theStreamsOfAClosedProgramHaveLeftItsSession() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let manager = try await system.connect(.init(remote: "/nonexistent/pipewire"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let hosted = try HostedProgram(session: session)
        try await session.activate()
        try await waitUntil("its streams have joined the session") { session.silenceReasons == [.paused] }
        await hosted.close()
        #expect(session.silenceReasons == [])
    }
}

extension AudioSession {
    /// Calls `body` on the session's thread, which does nothing else meanwhile.
    fileprivate func whileBusy<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}
