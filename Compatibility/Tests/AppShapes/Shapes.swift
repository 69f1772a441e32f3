package import AVFoundation

@testable import AudioSessionTestKit

// Code in the shape that public code for iOS has: what many tutorials and SDKs do, in our words.
// It would compile there, except for the lines with `selector:`.

/// A player screen, as current tutorials write it.
package final class PlayerScreen: NSObject {
    package var player: (any Playable)?
    let received = EventLog<String>()

    package protocol Playable: AnyObject {
        var isPlaying: Bool { get }
        func play() -> Bool
        func pause()
    }

    package override init() {}

    package func setUp() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .default, options: [])
        try session.setActive(true)
        NotificationCenter.default.addObserver(
            self, selector: PlayerScreen.handleRouteChange, name: AVAudioSession.routeChangeNotification, object: nil)
        NotificationCenter.default.addObserver(
            self, selector: PlayerScreen.handleInterruption, name: AVAudioSession.interruptionNotification,
            object: AVAudioSession.sharedInstance())
    }

    package func handleRouteChange(_ notification: Notification) {
        guard let userInfo = notification.userInfo,
            let reasonValue = userInfo[AVAudioSessionRouteChangeReasonKey] as? UInt,
            let reason = AVAudioSession.RouteChangeReason(rawValue: reasonValue)
        else { return }
        switch reason {
        case .newDeviceAvailable:
            let isOn = AVAudioSession.sharedInstance().currentRoute.outputs.contains { $0.portType == .headphones }
            received.append("plugged, headphones \(isOn)")
        case .oldDeviceUnavailable:
            guard
                let previous = userInfo[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            else { return }
            for output in previous.outputs where output.portType == AVAudioSession.Port.headphones {
                player?.pause()
                received.append("unplugged \(output.portName), main thread \(Thread.isMainThread)")
            }
        default: break
        }
    }

    package func handleInterruption(_ notification: Notification) {
        guard let info = notification.userInfo,
            let typeValue = info[AVAudioSessionInterruptionTypeKey] as? UInt,
            let type = AVAudioSession.InterruptionType(rawValue: typeValue)
        else { return }
        if type == .began {
            received.append("began")
        } else if type == .ended {
            guard let optionsValue = info[AVAudioSessionInterruptionOptionKey] as? UInt else { return }
            let options = AVAudioSession.InterruptionOptions(rawValue: optionsValue)
            if options.contains(.shouldResume) {
                received.append("ended, should resume")
                _ = player?.play()
            } else {
                received.append("ended")
            }
        }
    }

    deinit { NotificationCenter.default.removeObserver(self) }
}

extension AVAudioPlayer: PlayerScreen.Playable {}

/// A player screen in the style of Swift 3, with a block and with old casts.
package final class OldPlayerScreen {
    let received = EventLog<String>()
    private var token: (any NSObjectProtocol)?

    package init() {}

    package func setUp() {
        do {
            try AVAudioSession.sharedInstance().setCategory(AVAudioSessionCategoryPlayback, with: .mixWithOthers)
            try AVAudioSession.sharedInstance().setCategory(AVAudioSessionCategoryPlayback)
            try AVAudioSession.sharedInstance().setActive(true)
        } catch let error as NSError {
            received.append("failed \(error.code)")
        }
        token = NotificationCenter.default.addObserver(
            forName: NSNotification.Name.AVAudioSessionRouteChange, object: nil, queue: nil
        ) { [received] notification in
            let number = notification.userInfo![AVAudioSessionRouteChangeReasonKey] as! NSNumber
            let reason = AVAudioSessionRouteChangeReason(rawValue: number.uintValue)!
            switch reason {
            case .oldDeviceUnavailable:
                let route =
                    notification.userInfo![AVAudioSessionRouteChangePreviousRouteKey]
                    as! AVAudioSessionRouteDescription
                let wasHeadphones = route.outputs.filter { $0.portType == AVAudioSessionPortHeadphones }.count > 0
                received.append("pulled, headphones \(wasHeadphones)")
            default: received.append("reason \(reason.rawValue)")
            }
        }
    }

    package func tearDown() {
        if let token { NotificationCenter.default.removeObserver(token) }
        try? AVAudioSession.sharedInstance().setActive(false, with: .notifyOthersOnDeactivation)
    }
}

/// What a media SDK hides the session behind, so that it can be another in its tests.
package protocol SessionControlling: AnyObject {
    var category: AVAudioSession.Category { get }
    var mode: AVAudioSession.Mode { get }
    var categoryOptions: AVAudioSession.CategoryOptions { get }
    var currentRoute: AVAudioSessionRouteDescription { get }
    var availableInputs: [AVAudioSessionPortDescription]? { get }
    func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode, options: AVAudioSession.CategoryOptions)
        throws
    func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions) throws
    func setPreferredIOBufferDuration(_ duration: TimeInterval) throws
    func setPreferredSampleRate(_ sampleRate: Double) throws
    func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws
    func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws
}

extension AVAudioSession: SessionControlling {}

/// The session controller of a calling SDK: counted activations, settings, a speaker button.
package final class CallController {
    package struct Settings {
        package var category = AVAudioSession.Category.playAndRecord
        package var mode = AVAudioSession.Mode.voiceChat
        package var options: AVAudioSession.CategoryOptions = [.allowBluetooth, .allowBluetoothA2DP]
        package var sampleRate = 48_000.0
        package var ioBufferDuration: TimeInterval

        package init(ioBufferDuration: TimeInterval = 0.02) { self.ioBufferDuration = ioBufferDuration }
    }

    private let session: any SessionControlling
    private let lock = NSLock()
    private var activations = 0

    package init(session: any SessionControlling = AVAudioSession.sharedInstance()) { self.session = session }

    package func configure(_ settings: Settings = Settings()) throws {
        lock.lock()
        defer { lock.unlock() }
        if session.category != settings.category || session.mode != settings.mode {
            try session.setCategory(settings.category, mode: settings.mode, options: settings.options)
        }
        try? session.setPreferredSampleRate(settings.sampleRate)
        try? session.setPreferredIOBufferDuration(settings.ioBufferDuration)
    }

    package func begin() throws {
        lock.lock()
        defer { lock.unlock() }
        if activations == 0 { try session.setActive(true, options: []) }
        activations += 1
    }

    package func end() throws {
        lock.lock()
        defer { lock.unlock() }
        activations -= 1
        if activations == 0 { try session.setActive(false, options: .notifyOthersOnDeactivation) }
    }

    package func setSpeaker(_ isOn: Bool) throws { try session.overrideOutputAudioPort(isOn ? .speaker : .none) }

    package var ports: [String] {
        (session.currentRoute.outputs + (session.availableInputs ?? [])).map { port in
            "\(port.portType.rawValue): \(port.portName)"
        }
    }
}
