import AudioSessionCore
import AudioSessionTestKit
import TestSupport
import Testing

@testable import AudioSessions

/// Programs without a session parse no tokens until they need the sessions of others.
@Suite struct AttendanceTests {
    private let system: FakeAudioSystem
    private let idle: AudioSessionManager
    private let music: AudioSession
    private let film: AudioSession

    init() async throws {
        system = try FakeLaptop.system(with: .headset)
        idle = try await system.connect(.init(applicationName: "Idle"))
        music = try AudioSession(
            manager: await system.connect(.init(applicationName: "Music")), configuration: .init(.playback))
        film = try AudioSession(
            manager: await system.connect(.init(applicationName: "Film")), configuration: .init(.playback))
    }

    @Test func aProgramWithoutASessionOnlyBuffersTokens() async throws {
        try await music.activate()
        try await film.activate()
        #expect(await idle.keptTokens == 2)
        #expect(await idle.sessionsSeen == 0)
        try await film.deactivate()
        #expect(await idle.keptTokens == 1)
    }

    @Test func openingASessionParsesAllBufferedTokens() async throws {
        try await music.activate()
        try await film.activate()
        let own = try AudioSession(manager: idle, configuration: .init(.ambient))
        try await own.activate()
        #expect(own.isOtherAudioPlaying)
        #expect(await idle.keptTokens == 0)
        #expect(await idle.sessionsSeen == 3)
        // It follows further changes.
        await music.manager.close()
        await film.manager.close()
        #expect(!own.isOtherAudioPlaying)
    }

    @Test func theOverviewParsesTokensOnce() async throws {
        try await music.activate()
        try await film.activate()
        #expect(await idle.overview.sessions.map(\.state) == [.interrupted, .active])
        #expect(await idle.keptTokens == 0)
    }

    /// The number of all causes would grow with the square of the number of sessions.
    @Test func theOverviewNamesALimitedNumberOfCauses() async throws {
        for number in 1...100 {
            let session = try #require(AudioSessionID("00000000-0000-4000-8000-000000000\(100 + number)"))
            let contents = TokenContents(name: TokenName(session, 1), traits: TokenTraits(group: "g\(number)"))
            var properties = contents.announcement.properties()
            properties[.objectSerial] = "\(number)"
            properties[.clientID] = "1"
            system.send(.sessionObjectAppeared(ObjectID(UInt32(5000 + number)), properties))
        }
        let counts = await idle.overview.sessions.map(\.interruptedBy.count)
        #expect(counts == (0..<100).reversed().map { min($0, 32) })
    }

    /// The state is the same for a program that has parsed all events and one that begins now.
    @Test func aLateProgramComputesTheSameState() async throws {
        let eager = try AudioSession(manager: await system.connect(.init()), configuration: .init(.ambient))
        await eager.open()
        try await music.activate()
        try await film.activate()
        try await film.deactivate()
        #expect(await idle.overview.sessions == (await eager.manager.overview.sessions))
    }

    /// A token is refused because of older ones. In another order, a late program would grant music
    /// that a call forbids.
    @Test func aLateProgramRefusesTheSameTokens() async throws {
        let eager = try AudioSession(manager: await system.connect(.init()), configuration: .init(.ambient))
        await eager.open()
        let (phone, player) = (Client(id: ObjectID(201), processID: 21), Client(id: ObjectID(202), processID: 22))
        system.send(
            .clientAppeared(phone), .clientAppeared(player),
            // As text the serials have another order.
            try token(serial: 9, TokenTraits(priority: .communication), of: phone),
            try token(serial: 10, TokenTraits(), of: player))
        let sessions = await idle.overview.sessions
        #expect(sessions.map(\.traits.priority) == [.communication])
        #expect(sessions == (await eager.manager.overview.sessions))
    }

    private func token(serial: UInt32, _ traits: TokenTraits, of client: Client) throws -> GraphEvent {
        let session = try #require(AudioSessionID("00000000-0000-0000-0000-\(100_000_000_000 + UInt64(serial))"))
        var properties = TokenContents(name: TokenName(session, 1), traits: traits).announcement.properties()
        properties[.objectSerial] = String(serial)
        properties[.clientID] = String(client.id.rawValue)
        return .deviceAppeared(ObjectID(1000 - serial), properties)
    }

    /// The program has no active session of its own, which would have the same effect.
    @Test func anotherConnectionOfThisProgramIsNoOtherAudio() async throws {
        let program = system.environment
        let quiet = try AudioSession(
            manager: await AudioSessionManager.connect(.init(), in: program), configuration: .init(.ambient))
        let own = try await AudioSessionManager.connect(.init(), in: program)
        try await quiet.activate()
        try await quiet.deactivate()
        // A moment later its stream may count.
        system.advance(by: .seconds(2))
        for (node, manager, isOther) in [(UInt32(300), own, false), (301, idle, true)] {
            let client = try #require(await manager.client)
            let properties: Properties = [
                .mediaClass: "Stream/Output/Audio", .clientID: String(client.rawValue),
            ]
            system.send(
                .nodeAppeared(Node(id: ObjectID(node), properties: properties)),
                .nodeProperties(ObjectID(node), properties), .nodeState(ObjectID(node), .running))
            #expect(quiet.isOtherAudioPlaying == isOther)
        }
    }

    /// pipewire-pulse plays for other programs, and names them.
    @Test func ownStreamsOfPipeWirePulseAreNoOtherAudio() async throws {
        let quiet = try AudioSession(
            manager: await AudioSessionManager.connect(.init(), in: system.environment),
            configuration: .init(.ambient))
        let client = try #require(await quiet.manager.client)
        let process = try #require(await quiet.manager.process)
        #expect(client != ObjectID(999))
        for (node, id, isOther) in [(UInt32(300), process, false), (301, 4242, true)] {
            let properties: Properties = [
                .mediaClass: "Stream/Output/Audio", .clientID: "999", .clientAPI: "pipewire-pulse",
                .applicationProcessID: String(id),
            ]
            system.send(
                .nodeAppeared(Node(id: ObjectID(node), properties: properties)),
                .nodeProperties(ObjectID(node), properties), .nodeState(ObjectID(node), .running))
            #expect(quiet.isOtherAudioPlaying == isOther)
        }
    }

    /// A program stops its streams shortly after its session. A later one counts as other audio.
    @Test(arguments: [DeactivationOptions.notifyOthersOnDeactivation, []])
    func aStreamIsNoOtherAudioForASecondAfterItsSession(_ options: DeactivationOptions) async throws {
        let ambient = try AudioSession(manager: idle, configuration: .init(.ambient))
        try await ambient.activate()
        let hints = EventLog<SilenceSecondaryAudioHintType>()
        let observation = ambient.observe {
            if case .silenceSecondaryAudioHint(let hint, _) = $0 { hints.append(hint) }
        }
        defer { withExtendedLifetime(observation) {} }
        try await music.activate()
        let client = try #require(await music.manager.client)
        let properties: Properties = [.mediaClass: "Stream/Output/Audio", .clientID: String(client.rawValue)]
        system.send(
            .nodeAppeared(Node(id: ObjectID(300), properties: properties)),
            .nodeProperties(ObjectID(300), properties), .nodeState(ObjectID(300), .running))
        try await music.deactivate(options)
        #expect(hints.events == [.begin, .end])
        system.advance(by: .milliseconds(999))
        #expect(!ambient.isOtherAudioPlaying)
        system.advance(by: .milliseconds(1))
        #expect(ambient.isOtherAudioPlaying)
        #expect(hints.events == [.begin, .end, .begin])
        system.send(.nodeState(ObjectID(300), .idle))
        #expect(!ambient.isOtherAudioPlaying)
    }

    /// A flood of one program takes no capacity of others.
    @Test func aFloodIsParsedAtOnce() async throws {
        for number in 1...TokenContents.mostUnread + 1 {
            system.send(
                .deviceAppeared(
                    ObjectID(UInt32(number)),
                    [.deviceAPI: Announcement.Kind.token.deviceAPI, .objectSerial: "\(number)", .clientID: "1"]))
        }
        #expect(await idle.keptTokens == 0)
        try await music.activate()
        #expect(await idle.sessionsSeen == 1)
        #expect(await idle.overview.malformedTokens == UInt64(TokenContents.mostUnread + 1))
    }

    /// A session that mixes with others is not notified of their end when PipeWire was lost.
    @Test func aLossOfPipeWireDoesNotEndOtherAudio() async throws {
        let ambient = try AudioSession(manager: idle, configuration: .init(.ambient))
        let hints = EventLog<SilenceSecondaryAudioHintType>()
        let observation = ambient.observe {
            if case .silenceSecondaryAudioHint(let hint, _) = $0 { hints.append(hint) }
        }
        defer { withExtendedLifetime(observation) {} }
        try await ambient.activate()
        try await film.activate()
        #expect(hints.events == [.begin])
        system.fail()
        #expect(ambient.isOtherAudioPlaying)
        #expect(hints.events == [.begin])
    }

    @Test func tokensAreParsedAfterARestartOfPipeWire() async throws {
        _ = await idle.overview
        system.fail()
        system.restart()
        try await music.activate()
        #expect(await idle.keptTokens == 0)
        #expect(await idle.sessionsSeen == 1)
    }
}

extension AudioSessionManager {
    fileprivate var keptTokens: Int { arbitration.early.count }
    fileprivate var client: ObjectID? { graphConnection?.identity.client }
    fileprivate var process: Int? {
        graphConnection.flatMap { model.registry.graph.clients[$0.identity.client]?.processID }
    }
    fileprivate var sessionsSeen: Int { arbitration.machine.arbitration.stack.count }
}
