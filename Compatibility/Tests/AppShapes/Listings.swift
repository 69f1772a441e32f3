package import AVFoundation
import MediaPlayer

@testable import AudioSessionTestKit

// Listings of two decades, which the tests run on a virtual card. That of 2009 is in C.

/// A player of 2016, in the words of Swift 3.
package final class Listing2016: NSObject, AVAudioPlayerDelegate {
    let received = EventLog<String>()
    private var player: AVAudioPlayer!

    package init(url: URL) throws {
        super.init()
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(AVAudioSessionCategoryPlayback, with: [])
            try session.setMode(AVAudioSessionModeDefault)
            try session.setActive(true)
        } catch let error as NSError {
            received.append("failed \(error.code)")
        }
        player = try AVAudioPlayer(contentsOf: url, fileTypeHint: AVFileType.wav.rawValue)
        player.delegate = self
        player.numberOfLoops = -1
        player.prepareToPlay()
        NotificationCenter.default.addObserver(
            self, selector: Listing2016.routeChanged, name: NSNotification.Name.AVAudioSessionRouteChange, object: nil
        )
        NotificationCenter.default.addObserver(
            self, selector: Listing2016.interrupted, name: .AVAudioSessionInterruption, object: session)
    }

    package func start() { received.append(player.play() ? "playing" : "silent") }

    package func routeChanged(notification: Notification) {
        let number = notification.userInfo![AVAudioSessionRouteChangeReasonKey] as! NSNumber
        guard AVAudioSessionRouteChangeReason(rawValue: number.uintValue) == .oldDeviceUnavailable else { return }
        let route =
            notification.userInfo![AVAudioSessionRouteChangePreviousRouteKey] as! AVAudioSessionRouteDescription
        for output in route.outputs where output.portType == AVAudioSessionPortHeadphones {
            player.pause()
            received.append("pulled")
        }
    }

    package func interrupted(notification: Notification) {
        let number = notification.userInfo![AVAudioSessionInterruptionTypeKey] as! NSNumber
        switch AVAudioSessionInterruptionType(rawValue: number.uintValue)! {
        case .began: received.append("interrupted")
        case .ended:
            let options = notification.userInfo![AVAudioSessionInterruptionOptionKey] as! NSNumber
            if AVAudioSessionInterruptionOptions(rawValue: options.uintValue).contains(.shouldResume) { start() }
        }
    }

    package func tearDown() {
        NotificationCenter.default.removeObserver(self)
        player.stop()
        try? AVAudioSession.sharedInstance().setActive(false, with: .notifyOthersOnDeactivation)
    }
}

/// A player of 2026, in Swift 6 with asynchronous calls, and the notifications of iOS 27.
@MainActor
package final class Listing2026 {
    nonisolated let received = EventLog<String>()
    private let player: AVAudioPlayer
    private var tasks: [Task<Void, Never>] = []

    package init(url: URL) throws { player = try AVAudioPlayer(contentsOf: url) }

    package func start() async throws {
        let session = AVAudioSession.sharedInstance()
        guard await AVAudioApplication.requestRecordPermission() else { return }
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        listen(to: AVAudioSession.routeChangeNotification) { screen, info in
            guard let number = info?[AVAudioSessionRouteChangeReasonKey] as? UInt,
                AVAudioSession.RouteChangeReason(rawValue: number) == .oldDeviceUnavailable
            else { return }
            screen.player.pause()
            screen.received.append("pulled")
        }
        listen(to: AVAudioSession.didBecomeInactiveNotification) { screen, info in
            let context = info?[AVAudioSession.deactivationContextKey] as? AVAudioSession.DeactivationContext
            if context?.source == .system { screen.received.append("interrupted") }
        }
        listen(to: AVAudioSession.resumptionRecommendationNotification) { screen, info in
            let context = info?[AVAudioSession.resumptionContextKey] as? AVAudioSession.ResumptionContext
            if context?.recommendation == .shouldResume { screen.play() }
        }
        try await session.activate()
        play()
    }

    private func listen(
        to name: Notification.Name, _ handle: @escaping @MainActor (Listing2026, [AnyHashable: Any]?) -> Void
    ) {
        var notifications = NotificationCenter.default.notifications(named: name).makeAsyncIterator()
        tasks.append(
            Task { [weak self] in
                while let notification = await notifications.next() {
                    guard let self else { return }
                    handle(self, notification.userInfo)
                }
            })
    }

    private func play() {
        received.append(player.play() ? "playing" : "silent")
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [
            MPMediaItemPropertyTitle: "Square wave", MPMediaItemPropertyPlaybackDuration: player.duration,
            MPNowPlayingInfoPropertyPlaybackRate: 1.0,
        ]
    }

    package func end() async throws {
        for task in tasks { task.cancel() }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
        player.stop()
        try await AVAudioSession.sharedInstance().deactivate(options: .notifyOthersOnDeactivation)
    }
}
