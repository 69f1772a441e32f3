import AVFoundation
import Testing

// A program for iOS with its tests, which replace the system's session, route and ports with their
// own.

/// The part of the program that is tested: where its sound goes, and who may record.
private final class SpeakerButton {
    private let session: AVAudioSession

    init(session: AVAudioSession = .sharedInstance()) { self.session = session }

    var isOnHeadphones: Bool { session.currentRoute.outputs.contains { $0.portType == .headphones } }

    var title: String { session.currentRoute.outputs.first?.portName ?? "None" }

    func press() throws {
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetoothHFP])
        try session.overrideOutputAudioPort(isOnHeadphones ? .none : .speaker)
        try session.setActive(true)
    }
}

private final class MockPort: AVAudioSessionPortDescription, @unchecked Sendable {
    private let type: AVAudioSession.Port
    private let name: String

    init(_ type: AVAudioSession.Port, _ name: String) {
        self.type = type
        self.name = name
        super.init()
    }

    override var portType: AVAudioSession.Port { type }
    override var portName: String { name }
    override var uid: String { "mock-" + name }
    override var preferredDataSource: AVAudioSessionDataSourceDescription? { super.preferredDataSource }
}

private final class MockRoute: AVAudioSessionRouteDescription, @unchecked Sendable {
    private let mockOutputs: [AVAudioSessionPortDescription]

    init(outputs: [AVAudioSessionPortDescription]) {
        mockOutputs = outputs
        super.init()
    }

    override var outputs: [AVAudioSessionPortDescription] { mockOutputs }
}

private final class MockSession: AVAudioSession, @unchecked Sendable {
    var calls: [String] = []
    var mockRoute: AVAudioSessionRouteDescription = MockRoute(outputs: [])
    var error: (any Error)?

    override var currentRoute: AVAudioSessionRouteDescription { mockRoute }
    override var availableInputs: [AVAudioSessionPortDescription]? { [MockPort(.builtInMic, "Microphone")] }
    override var recordPermission: AVAudioSession.RecordPermission { .denied }

    override func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode,
        options: AVAudioSession.CategoryOptions = []
    ) throws {
        calls.append("category \(category.rawValue) \(mode.rawValue) \(options.rawValue)")
    }
    override func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws {
        calls.append("override \(portOverride)")
    }
    override func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {
        calls.append("active \(active)")
        if let error { throw error }
    }
    override func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(false) }
}

private final class MockPlayer: AVAudioPlayer, @unchecked Sendable {
    private var plays = false

    override var isPlaying: Bool { plays }
    override func play() -> Bool {
        plays = true
        return true
    }
    override func pause() { plays = false }
}

private final class MockRecorder: AVAudioRecorder, @unchecked Sendable {
    var records = false

    override var isRecording: Bool { records }
    override func record() -> Bool {
        records = true
        return true
    }
    override func stop() { records = false }
}

/// What a program of another author calls: the method without options.
private protocol Activating: AnyObject {
    func setActive(_ active: Bool) throws
}

extension AVAudioSession: Activating {}

/// What the program asks of the system, with a closure that is not Sendable.
private protocol PermissionAsking {
    var recordPermission: AVAudioSession.RecordPermission { get }
    func requestRecordPermission(_ response: @escaping (Bool) -> Void)
}

extension AVAudioSession: PermissionAsking {}

@MainActor
private final class RecordScreen {
    private(set) var text = ""
    private let asking: any PermissionAsking

    init(_ asking: any PermissionAsking) { self.asking = asking }

    func askForPermission() { asking.requestRecordPermission { [self] in text = $0 ? "Record" : "Not allowed" } }
}

extension AVFAudioTests {
    @Suite struct MockTests {
        private let session = MockSession()

        @Test func theButtonShowsTheOutput() {
            let button = SpeakerButton(session: session)
            #expect(button.title == "None" && !button.isOnHeadphones)
            session.mockRoute = MockRoute(outputs: [MockPort(.headphones, "My headphones")])
            #expect(button.title == "My headphones" && button.isOnHeadphones)
        }

        @Test func theButtonSwitchesToTheSpeaker() throws {
            let button = SpeakerButton(session: session)
            session.mockRoute = MockRoute(outputs: [MockPort(.builtInReceiver, "Receiver")])
            try button.press()
            session.mockRoute = MockRoute(outputs: [MockPort(.headphones, "My headphones")])
            try button.press()
            let category = "category AVAudioSessionCategoryPlayAndRecord AVAudioSessionModeVoiceChat 4"
            #expect(
                session.calls == [
                    category, "override speaker", "active true", category, "override none", "active true",
                ])
        }

        @Test func theButtonPassesErrorsOn() {
            session.error = NSError(
                domain: NSOSStatusErrorDomain, code: AVAudioSession.ErrorCode.insufficientPriority.rawValue)
            let error = #expect(throws: NSError.self) { try SpeakerButton(session: session).press() }
            #expect(error?.code == 561_017_449)
        }

        @Test func theMethodWithoutOptionsReachesTheOneWithThem() throws {
            let activating: any Activating = session
            try activating.setActive(true)
            try session.setActive(false)
            #expect(session.calls == ["active true", "active false"])
        }

        @Test func portsOfTestsAreEqualByTheirIdentifier() {
            let (port, same) = (MockPort(.usbAudio, "Interface"), MockPort(.usbAudio, "Interface"))
            #expect(port == same && port.hash == same.hash && port != MockPort(.usbAudio, "Other"))
            #expect(MockRoute(outputs: [port]) == MockRoute(outputs: [same]))
            #expect(port.channels == nil && port.dataSources == nil && port.selectedDataSource == nil)
            #expect(port.preferredDataSource == nil)
            #expect(throws: NSError.self) { try port.setPreferredDataSource(nil) }
            #expect(AVAudioSessionPortDescription().portType == .unknown)
        }

        @Test func aPortOfATestIsFoundByItsIdentifier() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.record)
                let error = #expect(throws: NSError.self) {
                    try session.setPreferredInput(MockPort(.builtInMic, "Microphone"))
                }
                #expect(error?.code == AVAudioSession.ErrorCode.resourceNotAvailable.rawValue)
            }
        }

        @Test func playersAndRecordersAreReplaced() {
            let (player, recorder) = (MockPlayer(), MockRecorder())
            #expect(player.play() && player.isPlaying && player.duration == 0 && player.url == nil)
            player.pause()
            #expect(!player.isPlaying)
            #expect(recorder.record() && recorder.isRecording && recorder.currentTime == 0)
            recorder.stop()
            #expect(!recorder.isRecording && !recorder.deleteRecording())
            let (plain, plainRecorder) = (AVAudioPlayer(), AVAudioRecorder())
            #expect(!plain.play() && !plain.play(atTime: 1e9) && !plainRecorder.record())
            plain.currentTime = 3
            plain.stop()
            plainRecorder.stop()
            #expect(plain.currentTime == 0)
        }

        @Test @MainActor func aScreenAsksForPermission() {
            let refused = RecordScreen(session)
            refused.askForPermission()
            #expect(refused.text == "Not allowed")
            let granted = RecordScreen(AVAudioSession())
            granted.askForPermission()
            #expect(granted.text == "Record")
        }
    }
}
