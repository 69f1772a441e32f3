import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The inputs that a session and its manager receive from a participant, and their answers.
@Suite struct ParticipantTests {
    @Test func aRequestIsAnsweredBeforeTheCallReturns() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let manager = try await system.connect()
        let session = AudioSession(for: .output, on: manager)
        let participant = Participant()
        await manager.receive(.setStreams([]), from: participant, of: session)
        #expect(participant.inputs.isEmpty, "it does not follow a route yet")
        await session.receive(.joined(participant.facts), from: participant)
        await manager.receive(.follow, from: participant, of: session)
        await manager.receive(.setStreams([]), from: participant, of: session)
        #expect(participant.inputs.last == .routed(RouteDescription(outputs: manager.currentRoute.outputs)))
        await manager.receive(.unfollow, from: participant, of: session)
        let count = participant.inputs.count
        await manager.receive(.setStreams([]), from: participant, of: session)
        system.setAvailable(false, route: FakeLaptop.headphones)
        #expect(participant.inputs.count == count)
        await manager.close()
    }

    @Test func aFollowerOfInputsReceivesMutesAtOnceAndLater() async throws {
        let manager = try await FakeLaptop.system(with: .microphone).connect()
        let session = AudioSession(for: .input, on: manager)
        let participant = Participant()
        await manager.setInputMuted(true)
        await manager.receive(.followInputs(true), from: participant, of: session)
        #expect(participant.inputs == [.inputMuted(true), .inputChanged])
        await manager.receive(.followInputs(false), from: participant, of: session)
        await manager.setInputMuted(false)
        #expect(participant.inputs.count == 2)
        await manager.receive(.observeInput(of: nil, former: nil), from: participant, of: session)
        guard case .inputObserved(let observation) = participant.inputs.last else {
            Issue.record("\(participant.inputs)")
            return
        }
        #expect(observation.port == nil && observation.isFormerAvailable)
        await manager.close()
    }

    @Test func theTargetsOfAnOpenSessionCanBeReadWithoutWaiting() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let manager = try await system.connect()
        system.fail()
        #expect(!manager.isConnected)
        let session = AudioSession(for: .input, on: manager)
        await session.open()
        #expect(session.routeTargets.output == .unused && session.routeTargets.input == .systemDefault)
        #expect(session.target(.input) == nil)
        await manager.close()
    }

    @Test func aParticipantThatLeftReceivesNothing() async throws {
        let manager = try await FakeLaptop.system(with: .headphones).connect()
        #expect(manager.isConnected)
        let session = AudioSession(for: .output, on: manager)
        let participant = Participant()
        await session.receive(.joined(participant.facts), from: participant)
        await session.receive(.left, from: participant)
        try await session.activate()
        #expect(participant.sessionInputs == [.ducked(1)])
        await manager.close()
    }
}

/// Records the inputs that it receives.
private final class Participant: SessionParticipant {
    private let received = Locked<(routes: [RouteInput], session: [ParticipantInput])>(([], []))
    let facts = ParticipantFacts()
    let timing = ParticipantTiming()

    var inputs: [RouteInput] { received.withLock(\.routes) }
    var sessionInputs: [ParticipantInput] { received.withLock(\.session) }

    func receive(_ input: ParticipantInput) { received.withLock { $0.session.append(input) } }
    func receive(_ input: RouteInput) { received.withLock { $0.routes.append(input) } }
}
