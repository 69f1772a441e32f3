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

/// Sessions on a fake computer, and players on a private bus.
@Suite(.timeLimit(.minutes(10))) struct UnmanagedAudioTests {
    private struct Stage {
        let bus: PrivateBus
        let system = FakeAudioSystem(graph: AudioGraph())
        let streams = FakeStreams()
        /// Whether the streams of this process run.
        let isStreaming = Locked(true)
        /// Called at the beginning of each survey.
        let willSurvey = Locked<(@Sendable () async -> Void)?>(nil)
        /// The programs that play, if they are not this process.
        let programs = Locked<PlayingPrograms?>(nil)
        var sandboxFile: (@Sendable (Int) -> String)?
        /// The time until the second survey.
        var repetition: Duration?

        init() async throws { bus = try await PrivateBus() }

        /// A program with a session, which sees that this process plays.
        func program(
            _ configuration: AudioSession.Configuration = .init(.playAndRecord, mode: .voiceChat),
            _ policy: AudioSessionConfiguration.UnmanagedAudioPolicy? = nil, scope: UnmanagedScope = .allOthers
        ) async throws -> Program {
            var configuration = configuration
            configuration.unmanagedAudioPolicy = policy
            let session = try AudioSession(manager: try await system.connect(), configuration: configuration)
            var environment = UnmanagedAudio.Environment(
                address: { [bus] in bus.address },
                programs: { [isStreaming, programs, willSurvey] in
                    await willSurvey.withLock(\.self)?()
                    guard let programs = programs.withLock(\.self) else {
                        let process = StreamProcess(id: Int(getpid()), isVerified: true)
                        return PlayingPrograms(processes: [process: .init(isRunning: isStreaming.withLock(\.self))])
                    }
                    return programs
                })
            environment.repetition = repetition
            environment.returnLimit = .seconds(600)
            environment.connect = { [streams] executor, receive, _ in streams.connect(executor, receive) }
            if let sandboxFile { environment.sandboxFile = sandboxFile }
            let foreign = try UnmanagedAudio(session, scope, in: environment)
            return Program(session: session, foreign: foreign)
        }
    }

    private final class Program {
        let session: AudioSession
        let foreign: UnmanagedAudio
        private var events: EventSequence<UnmanagedAudio.Event>.Iterator

        init(session: AudioSession, foreign: UnmanagedAudio) {
            self.session = session
            self.foreign = foreign
            events = foreign.events().makeAsyncIterator()
        }

        /// The next event, in short.
        func event() async -> String? {
            switch await events.next(isolation: #isolation) {
            case .paused(let player, _): "paused \(player.name)"
            case .muted(let player, _): "muted \(player.name)"
            case .resumed(let player, _): "resumed \(player.name)"
            case .released(let player, _): "released \(player.name)"
            case .ducked(let stream, _, _): "ducked \(stream.name)"
            case .restored(let stream, _): "restored \(stream.name)"
            case .leftToRolePolicy: "left to role policy"
            case .unavailable: "unavailable"
            case nil: nil
            }
        }
    }

    @Test func aCallPausesPlayersAndResumesThem() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(call.foreign.pausedPlayers.map(\.processID) == [Int(getpid())])
        try await call.session.deactivate()
        #expect(await call.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(call.foreign.pausedPlayers.isEmpty)
        // The same once more, over another connection.
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
    }

    @Test func aPlayerThatItsUserControlledIsNotResumed() async throws {
        let stage = try await Stage()
        let paused = try await FakePlayer("a-paused", "Paused", on: stage.bus.address)
        let touched = try await FakePlayer("b-touched", "Playing", on: stage.bus.address)
        let other = try await FakePlayer("c-other", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(Set([await call.event(), await call.event()]) == ["paused b-touched", "paused c-other"])
        #expect(await touched.command() == .pause)
        #expect(await other.command() == .pause)
        // It reports later that it has paused, and counts as slow until then.
        await touched.set("Paused")
        await touched.set("Playing")
        #expect(await call.event() == "released b-touched")
        await touched.set("Paused")
        try await call.session.deactivate()
        #expect(await call.event() == "resumed c-other")
        #expect(await other.command() == .play)
        #expect(touched.commands == [.pause])
        #expect(paused.commands == [])
    }

    @Test func withoutNotifyThePlayerStaysPaused() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        try await call.session.deactivate([])
        #expect(await call.event() == "released browser")
        #expect(browser.commands == [.pause])
    }

    /// Players stop their streams while they are paused, and some close them.
    enum StreamOfPaused: CaseIterable { case runs, hasStopped, isClosed }

    @Test(arguments: StreamOfPaused.allCases)
    func theLastOfTwoSessionsResumesThePlayer(stream: StreamOfPaused) async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let mixing = AudioSession.Configuration(.playback, options: .mixWithOthers)
        let (one, two) = (try await stage.program(mixing, .pause), try await stage.program(mixing, .pause))
        try await one.session.activate()
        #expect(await one.event() == "paused browser")
        #expect(await browser.command() == .pause)
        if stream == .hasStopped { stage.isStreaming.withLock { $0 = false } }
        if stream == .isClosed { stage.programs.withLock { $0 = PlayingPrograms() } }
        try await two.session.activate()
        #expect(await two.event() == "paused browser")
        try await one.session.deactivate()
        #expect(await one.event() == "released browser")
        try await two.session.deactivate()
        #expect(await two.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(browser.commands == [.pause, .play])
    }

    @Test func playersStayPausedWhileASessionMayReturn() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let music = try await stage.program(.init(.playback), .pause)
        let call = try await stage.program(.init(.playAndRecord, mode: .voiceChat), .leave)
        try await music.session.activate()
        #expect(await music.event() == "paused browser")
        #expect(await browser.command() == .pause)
        try await call.session.activate()
        try await call.session.deactivate()
        try await waitUntil("it has heard that") { await music.foreign.sessionState == .inactive }
        #expect(music.foreign.pausedPlayers.map(\.name) == ["browser"])
        try await music.session.activate()
        try await music.session.deactivate()
        #expect(await music.event() == "resumed browser")
        #expect(await browser.command() == .play)
        #expect(browser.commands == [.pause, .play])
    }

    @Test(arguments: [false, true]) func aDeactivationEndsTheWaitForTheSessionsReturn(isSilent: Bool) async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let music = try await stage.program(.init(.playback), .pause)
        let call = try await stage.program(.init(.playAndRecord, mode: .voiceChat), .leave)
        try await music.session.activate()
        #expect(await music.event() == "paused browser")
        try await call.session.activate()
        try await call.session.deactivate()
        try await waitUntil("it has heard that") { await music.foreign.sessionState == .inactive }
        try await music.session.deactivate(isSilent ? [] : .notifyOthersOnDeactivation)
        #expect(await music.foreign.waitUntilRestored(within: .seconds(300)), "it waits for the session's return")
        #expect(await music.event() == (isSilent ? "released browser" : "resumed browser"))
        #expect(await browser.command() == .pause)
        if !isSilent { #expect(await browser.command() == .play) }
    }

    /// The player of a program whose session is governed by arbitration, or whose host has one.
    @Test(arguments: [
        PlayingPrograms(participants: [Int(getpid())]), PlayingPrograms(hosts: [Int(getppid())]),
    ])
    func playersOfProgramsWithSessionsAreLeftAlone(programs: PlayingPrograms) async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        var governed = programs
        governed.processes = [StreamProcess(id: Int(getpid()), isVerified: false): .init(isRunning: true)]
        stage.programs.withLock { $0 = governed }
        try await call.session.activate()
        try await survey(by: call, of: browser)
        #expect(call.foreign.pausedPlayers.isEmpty)
        try await call.session.deactivate()
        stage.programs.withLock { $0 = nil }
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(browser.commands == [.pause])
    }

    /// An exception may be named as its streams are.
    @Test func aPlayerWhoseStreamsAreExceptionsIsLeftAlone() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let process = StreamProcess(id: Int(getpid()), isVerified: true)
        stage.programs.withLock {
            $0 = PlayingPrograms(processes: [process: .init(isRunning: true, names: ["VLC media player"])])
        }
        let spared = try await stage.program(scope: .others(except: .init(names: ["vlc media player"])))
        try await spared.session.activate()
        try await survey(by: spared, of: browser)
        #expect(spared.foreign.pausedPlayers.isEmpty)
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
        var stage = try await Stage()
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
        try await survey(by: call, of: browser)
        #expect(call.foreign.pausedPlayers.isEmpty)
        try await call.session.deactivate()
        play("org.example.Browser")
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        #expect(browser.commands == [.pause])
    }

    /// Returns when the program has surveyed the players, and this one could have received *Pause*.
    private func survey(by program: Program, of player: FakePlayer) async throws {
        try await waitUntil("the survey") { await program.foreign.hasSurveyed }
        let owner = await player.owner
        for _ in 0..<10 { _ = await player.status(of: owner) }
    }

    /// Another session has ended, and its player plays a moment later.
    @Test func aPlayerThatIsAboutToPlayIsPausedByTheSecondSurvey() async throws {
        var stage = try await Stage()
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
        let stage = try await Stage()
        let call = try await stage.program()
        await call.foreign.survey(PlayingPrograms(), [:])
        #expect(await !call.foreign.hasBus)
    }

    /// A change of category, mode or options applies another policy at once.
    @Test func anotherConfigurationReplacesTheFormerPolicy() async throws {
        let stage = try await Stage()
        await stage.streams.send(FakeStreams.stream(40))
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let program = try await stage.program(.init(.playback, options: .duckOthers))
        try await program.session.activate()
        #expect(await program.event()?.hasPrefix("ducked") == true)
        try await program.session.setCategory(.playAndRecord, mode: .voiceChat)
        let events = [await program.event() ?? "", await program.event() ?? ""]
        #expect(events.contains("paused browser") || events.contains("muted browser"), "\(events)")
        #expect(events.contains { $0.hasPrefix("restored") }, "\(events)")
        #expect(await browser.command() == .pause)
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

    @Test func closingResumesThePlayer() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await call.foreign.close()
        #expect(await call.event() == nil)
        #expect(await browser.command() == .play)
    }

    @Test func mixingSessionsLeaveOthersAloneUnlessAsked() async throws {
        let stage = try await Stage()
        let prompt = try await stage.program(.init(.playback, options: .mixWithOthers))
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .leave)
        try await prompt.session.change { $0.unmanagedAudioPolicy = .pause }
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
        // It stays with another category.
        try await prompt.session.setCategory(.playback, options: .duckOthers)
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
        try await prompt.session.change { $0.unmanagedAudioPolicy = nil }
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .duck)
        try await prompt.session.setCategory(.playback)
        #expect(prompt.session.configuration.effectiveUnmanagedAudioPolicy == .pause)
    }

    @Test(arguments: ["unix:path=/nonexistent/bus", "nonsense", ""])
    func withoutABusTheSessionIsActiveEvenSo(_ address: String) async throws {
        let system = FakeAudioSystem(graph: AudioGraph())
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let foreign = try UnmanagedAudio(session, in: .init(address: { address }, programs: { PlayingPrograms() }))
        let call = Program(session: session, foreign: foreign)
        for _ in 1...2 {
            try await session.activate()
            #expect(await call.event() == "unavailable")
            #expect(session.state == .active)
            try await session.deactivate()
        }
    }

    @Test func aPlayerThatDoesNotPauseIsMutedUntilTheDeactivation() async throws {
        let stage = try await Stage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("deaf", "Playing", on: stage.bus.address, executes: false)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await player.command() == .pause)
        #expect(await call.event() == "muted deaf")
        #expect(stage.streams.softVolumes(of: 40) == [0])
        #expect(call.foreign.pausedPlayers.map(\.name) == ["deaf"])
        try await call.session.deactivate()
        #expect(await call.event() == "resumed deaf")
        try await waitUntil("its stream is heard") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(await player.command() == .play)
    }

    @Test func aPlayerIsPausedWhenItsStreamStopsAndNoLongerMuted() async throws {
        let stage = try await Stage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("slow", "Playing", on: stage.bus.address, executes: false)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "muted slow")
        await player.set("Paused")
        await stage.streams.send([.nodeState(ObjectID(40), .idle)])
        #expect(await call.event() == "paused slow")
        try await waitUntil("it is muted no longer") { stage.streams.softVolumes(of: 40) == [1] }
    }

    /// After 2 s the bus gives up the call. The player still receives it.
    @Test func aPlayerThatAnswersLateIsResumedAfterwards() async throws {
        let stage = try await Stage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("busy", "Playing", on: stage.bus.address)
        let owner = await player.owner
        let call = try await stage.program()
        let observer = try await FakePlayer("observer", "Stopped", on: stage.bus.address)
        let end = Semaphore()
        await player.hang(until: end)
        try await call.session.activate()
        #expect(await call.event() == "muted busy")
        // This query is sent after the call's own command, so it times out later.
        #expect(await observer.status(of: owner) == nil)
        #expect(call.foreign.pausedPlayers.map(\.name) == ["busy"])
        end.signal()
        #expect(await player.command() == .pause)
        await stage.streams.send([.nodeState(ObjectID(40), .idle)])
        #expect(await call.event() == "paused busy")
        try await call.session.deactivate()
        #expect(await call.event() == "resumed busy")
        #expect(await player.command() == .play)
    }

    /// A player that does not answer may be paused, so it must not be resumed.
    @Test func aPlayerThatDoesNotAnswerWhetherItPlaysIsMutedAndReceivesNoCommand() async throws {
        let stage = try await Stage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("busy", "Playing", on: stage.bus.address)
        let owner = await player.owner
        let user = try await FakePlayer("user", "Stopped", on: stage.bus.address)
        let call = try await stage.program()
        let end = Semaphore()
        await player.hang(until: end)
        await user.send("Play", to: owner)
        try await call.session.activate()
        #expect(await call.event() == "muted busy")
        #expect(stage.streams.softVolumes(of: 40) == [0])
        end.signal()
        #expect(await player.command() == .play)
        try await call.session.deactivate()
        #expect(await call.event() == "released busy")
        try await waitUntil("its stream is heard") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(player.commands == [.play])
    }

    @Test func aPlayerThatReleasesOneOfTwoNamesIsResumedAfterwards() async throws {
        let stage = try await Stage()
        let player = try await FakePlayer("two", "Playing", on: stage.bus.address)
        let second = DesktopBus.playerPrefix + "two.instance1"
        try await player.own(second)
        let other = try await FakePlayer("other", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        let paused = [await call.event() ?? "", await call.event() ?? ""]
        #expect(Set(paused).isSubset(of: ["paused two", "paused two.instance1", "paused other"]))
        #expect(await player.command() == .pause)
        await player.release(second)
        // The bus reports the other one later.
        await other.release(DesktopBus.playerPrefix + "other")
        #expect(await call.event() == "released other")
        try await call.session.deactivate()
        #expect(await call.event()?.hasPrefix("resumed two") == true)
        #expect(await player.command() == .play)
    }

    @Test func thousandsOfNamesHideNoPlayer() async throws {
        let stage = try await Stage()
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
        var stage = try await Stage()
        let scratch = try Scratch()
        let pipe = scratch.name("flatpak-info")
        #expect(mkfifo(pipe, 0o600) == 0)
        stage.sandboxFile = { _ in pipe }
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await call.foreign.close()
        #expect(await call.event() == nil)
    }

    @Test func aLostBusIsReported() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await stage.bus.stop()
        #expect(await call.event() == "released browser")
        #expect(await call.event() == "unavailable")
        #expect(call.foreign.pausedPlayers.isEmpty)
    }

    /// Another bus at the same address gives the unique names of the lost one to other programs.
    @Test func playersOfAnotherBusReceiveNoCommands() async throws {
        let stage = try await Stage()
        let browser = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let owner = await browser.owner
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "paused browser")
        #expect(await browser.command() == .pause)
        await stage.bus.stop()
        #expect(await call.event() == "released browser")
        #expect(await call.event() == "unavailable")
        #expect(await !call.foreign.hasWatchdog)
        let daemon = try await stage.bus.startAnotherDaemon()
        defer { daemon.signal(SIGKILL) }
        var players: [FakePlayer] = []
        var owners: [String] = []
        while !owners.contains(owner) {
            try #require(players.count < 10, "no player has the name \(owner)")
            let player = try await FakePlayer("player\(players.count)", "Paused", on: stage.bus.address)
            players.append(player)
            owners.append(await player.owner)
        }
        try await call.session.deactivate()
        #expect(await call.foreign.waitUntilRestored(within: .seconds(300)))
        // The commands of this watchdog follow those of one that began before.
        let last = try await FakePlayer("last", "Paused", on: stage.bus.address)
        var watchdog: PlayerWatchdog? = try PlayerWatchdog(address: stage.bus.address)
        #expect(watchdog?.resumeAtExit([await last.owner], by: ":1.9999") == true)
        watchdog = nil
        #expect(await last.command() == .play)
        #expect(players.allSatisfy { $0.commands == [] })
    }
}

extension UnmanagedAudio {
    fileprivate var hasWatchdog: Bool { watchdog != nil }
    fileprivate var hasBus: Bool { bus != nil }
}

extension PrivateBus {
    /// Starts another daemon at the address of the stopped one. Returns when clients can connect.
    fileprivate func startAnotherDaemon() async throws -> ChildProcess {
        let folder = address.dropFirst("unix:path=".count).dropLast("/bus".count)
        let log = "\(folder)/log"
        let daemon = try ChildProcess(
            program: "/usr/bin/dbus-daemon",
            arguments: ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address=1"],
            environment: PrivateBus.environment, output: .log(log), group: group)
        // The daemon prints its address once it listens.
        try await waitUntil("the other bus runs") { ProgramFile.read(log)?.contains("unix:path=") == true }
        return daemon
    }
}

@Suite(.timeLimit(.minutes(10))) struct PlayerWatchdogTests {
    /// The watchdog's work at the end of its process. Here the connection is closed instead.
    @Test func theWatchdogResumesPlayersWithoutAClaim() async throws {
        let bus = try await PrivateBus()
        let claimed = try await FakePlayer("claimed", "Paused", on: bus.address)
        let free = try await FakePlayer("free", "Paused", on: bus.address)
        let claimer = try await FakePlayer(
            try #require(DesktopBus.claim(on: await claimed.owner)), "Stopped", on: bus.address, prefix: "")
        var watchdog: PlayerWatchdog? = try PlayerWatchdog(address: bus.address)
        #expect(watchdog?.resumeAtExit([await free.owner], by: ":1.9999") == true)
        #expect(watchdog?.resumeAtExit([await claimed.owner, await free.owner], by: ":1.9999") == true)
        watchdog = nil
        #expect(await free.command() == .play)
        #expect(claimed.commands == [])
        #expect(await claimer.owner.hasPrefix(":"))
    }

    @Test func onlyAddressesCanBeClaimed() {
        #expect(DesktopBus.claim(on: ":1.42") == "org.AudioSessions.Paused.p1_42")
        for wrong in ["", ":", "org.mpris", ":1/2", ":" + String(repeating: "1", count: 300)] {
            #expect(DesktopBus.claim(on: wrong) == nil)
        }
    }
}

extension UnmanagedAudio {
    /// Whether all names on the bus are resolved.
    fileprivate var hasSurveyed: Bool { bus != nil && surveying == 0 && names.isDone && !names.isEmpty }
}
