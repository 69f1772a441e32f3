import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import Glibc
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// Which players a session finds on the bus and pauses.
@Suite(.timeLimit(.minutes(10))) struct UnmanagedSurveyTests {
    /// The player of a program whose session is governed by arbitration, or whose host has one.
    @Test(arguments: [
        PlayingPrograms(participants: [Int(getpid())]), PlayingPrograms(hosts: [Int(getppid())]),
    ])
    func playersOfProgramsWithSessionsAreLeftAlone(programs: PlayingPrograms) async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        var governed = programs
        governed.processes = [StreamProcess(id: Int(getpid()), isVerified: false): .init(isRunning: true)]
        stage.programs.withLock { $0 = governed }
        try await call.session.activate()
        try await call.waitForSurvey(of: browser)
        #expect(call.unmanaged.pausedPlayers.isEmpty)
        try await call.session.deactivate()
        stage.programs.withLock { $0 = nil }
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(browser.commands == [.pause])
    }

    /// An exception may be named as its streams are.
    @Test func aPlayerWhoseStreamsAreExceptionsIsLeftAlone() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let process = StreamProcess(id: Int(getpid()), isVerified: true)
        stage.programs.withLock {
            $0 = PlayingPrograms(processes: [process: .init(isRunning: true, names: ["VLC media player"])])
        }
        let spared = try await stage.program(scope: .others(except: .init(names: ["vlc media player"])))
        try await spared.session.activate()
        try await spared.waitForSurvey(of: browser)
        #expect(spared.unmanaged.pausedPlayers.isEmpty)
        try await spared.session.deactivate()
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(browser.commands == [.pause])
    }

    /// The process of a player in a Flatpak is that of its proxy, and pipewire-pulse names only the
    /// application of its stream.
    @Test func aPlayerInAFlatpakWhoseStreamIsOfPipewirePulseIsPaused() async throws {
        var stage = try await UnmanagedStage()
        let scratch = try Scratch()
        let info = "[Application]\nname=org.example.Browser\n[Instance]\ninstance-id=7\n"
        let file = try scratch.write(Array(info.utf8), to: "flatpak-info")
        stage.sandboxFile = { _ in file }
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        func play(_ application: String) {
            stage.programs.withLock {
                $0 = PlayingPrograms(processes: [StreamProcess(application: application): .init(isRunning: true)])
            }
        }
        let call = try await stage.program()
        play("org.example.Other")
        try await call.session.activate()
        try await call.waitForSurvey(of: browser)
        #expect(call.unmanaged.pausedPlayers.isEmpty)
        try await call.session.deactivate()
        play("org.example.Browser")
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(browser.commands == [.pause])
    }

    /// Another session has ended, and its player plays a moment later.
    @Test func aPlayerThatIsAboutToPlayIsPausedByTheSecondSurvey() async throws {
        var stage = try await UnmanagedStage()
        stage.repetition = .milliseconds(300)
        let browser = try await FakePlayer("browser", "Paused", on: stage.bus.address)
        let call = try await stage.program()
        let surveys = Locked(0)
        let willSurvey: @Sendable () async -> Void = {
            let count = surveys.withLock { count in
                count += 1
                return count
            }
            if count == 2 { await browser.set("Playing") }
        }
        stage.willSurvey.withLock { $0 = willSurvey }
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
    }

    /// The turn may end between the reading of programs and the survey.
    @Test func aSurveyAfterTheTurnOpensNoBus() async throws {
        let stage = try await UnmanagedStage()
        let call = try await stage.program()
        await call.unmanaged.survey(PlayingPrograms(), [:])
        #expect(await !call.unmanaged.hasBus)
    }

    /// The answers of a lost bus do not arrive, so lookups would count until the session ends.
    @Test func aLostBusEndsAllLookups() async throws {
        let stage = try await UnmanagedStage()
        let browser = try await FakePlayer("browser", "Paused", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        try await call.waitForSurvey(of: browser)
        await call.unmanaged.lookUp(":1.4711")
        await stage.bus.stop()
        #expect(await call.event() == "unavailable")
        #expect(await call.unmanaged.lookups.isEmpty)
    }

    @Test func aProcessWhoseStreamStopsStaysKnown() async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let manager = try await system.connect()
        let process = StreamProcess(id: 4711, isVerified: true)
        for event in FakeStreams.stream(40, process: 4711) { system.send(event) }
        #expect(await manager.playingPrograms.processes[process]?.isRunning == true)
        system.send(.nodeState(ObjectID(40), .idle))
        #expect(await manager.playingPrograms.processes[process]?.isRunning == false)
        system.send(.disappeared(ObjectID(40)))
        #expect(await manager.playingPrograms.processes[process] == nil)
        await manager.close()
    }

    @Test func thousandsOfNamesHideNoPlayer() async throws {
        let stage = try await UnmanagedStage()
        var hostile: [FakePlayer] = []
        // The bus of the tests lets a program own 512.
        for number in 0..<8 {
            let player = try await FakePlayer("evil\(number)", "Stopped", on: stage.bus.address)
            try await player.own((0..<500).map { DesktopBus.playerPrefix + "evil\(number).instance\($0)" })
            hostile.append(player)
        }
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(hostile.allSatisfy { $0.commands == [] })
    }

    /// Opening a pipe without a writer blocks forever.
    @Test func aPipeInPlaceOfTheSandboxFileDoesNotBlock() async throws {
        var stage = try await UnmanagedStage()
        let scratch = try Scratch()
        let pipe = scratch.name("flatpak-info")
        #expect(mkfifo(pipe, 0o600) == 0)
        stage.sandboxFile = { _ in pipe }
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await call.unmanaged.close()
        #expect(await call.event() == nil)
    }
}

extension UnmanagedAudio {
    fileprivate var hasBus: Bool { bus != nil }

    /// Begins a lookup that is not answered.
    fileprivate func lookUp(_ owner: String) { lookups.insert(owner) }
}
