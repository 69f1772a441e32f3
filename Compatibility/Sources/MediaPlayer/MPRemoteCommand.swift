import AVFAudio
public import Foundation

/// The result of a command's handler. The desktop does not receive it.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    case success = 0
    case noSuchContent = 100
    case noActionableNowPlayingItem = 110
    case deviceNotFound = 120
    case commandFailed = 200
}

/// A command of the user.
open class MPRemoteCommandEvent: NSObject {
    /// The command that was given.
    public let command: MPRemoteCommand
    /// When it was received, in seconds of a monotonic clock.
    public let timestamp: TimeInterval

    init(_ command: MPRemoteCommand) {
        self.command = command
        timestamp = ProcessInfo.processInfo.systemUptime
    }
}

/// A jump by an interval.
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// The interval in seconds.
    public let interval: TimeInterval

    init(_ command: MPRemoteCommand, interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}

/// A jump to a position.
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// The position in seconds.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, positionTime: TimeInterval) {
        self.positionTime = positionTime
        super.init(command)
    }
}

/// A change of the rate of playback, which the desktop never requests.
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    /// The requested rate, which is always 1.
    public var playbackRate: Float { 1 }
}

/// Whether a search through the item begins or ends.
public enum MPSeekCommandEventType: UInt, Sendable {
    case beginSeeking = 0
    case endSeeking = 1
}

/// A search through the item, which the desktop never requests.
public final class MPSeekCommandEvent: MPRemoteCommandEvent {
    /// Whether the search begins or ends, which is always the latter.
    public var type: MPSeekCommandEventType { .endSeeking }
}

/// A command that the user can give on the desktop, by media keys, or by a headset.
///
/// Handlers are called on the main queue.
// Unchecked, because the compiler checks only final classes. All state is behind locks.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
    private let state = Locked(State())

    private struct State {
        var isEnabled = true
        var targets: [(token: NSObject, call: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus?)] = []
        var changed: (@Sendable () -> Void)?
    }

    override init() {}

    /// Whether the desktop offers the command, if it has a handler.
    public final var isEnabled: Bool {
        get { state.withLock(\.isEnabled) }
        set { change { $0.isEnabled = newValue } }
    }

    /// Adds a handler of the command.
    ///
    /// - Parameter handler: called on the main queue.
    /// - Returns: a value for ``removeTarget(_:)``.
    @discardableResult
    public final func addTarget(
        handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) -> Any {
        let token = NSObject()
        change { $0.targets.append((token, { handler($0) })) }
        return token
    }

    /// Adds a method as a handler, in place of a selector. The target is referenced weakly.
    ///
    /// - Parameters:
    ///   - target: the object.
    ///   - action: its method, such as `Player.play`.
    public final func addTarget<Target: AnyObject>(
        _ target: Target, action: @escaping (Target) -> (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) {
        add(target) { action($0)($1) }
    }

    /// Adds a method as a handler that takes the event of a certain command, such as
    /// `MPSkipIntervalCommandEvent`. The target is referenced weakly.
    ///
    /// - Parameters:
    ///   - target: the object.
    ///   - action: its method, such as `Player.skip`. It is not called for the event of another
    ///     command.
    public final func addTarget<Target: AnyObject, Event: MPRemoteCommandEvent>(
        _ target: Target, action: @escaping (Target) -> (Event) -> MPRemoteCommandHandlerStatus
    ) {
        add(target) { target, event in (event as? Event).map { action(target)($0) } ?? .commandFailed }
    }

    /// Adds a method without parameters as a handler, in place of a selector. The target is
    /// referenced weakly.
    ///
    /// - Parameters:
    ///   - target: the object.
    ///   - action: its method, such as `Player.play`.
    public final func addTarget<Target: AnyObject>(
        _ target: Target, action: @escaping (Target) -> () -> MPRemoteCommandHandlerStatus
    ) {
        add(target) { target, _ in action(target)() }
    }

    private func add<Target: AnyObject>(
        _ target: Target, _ call: @escaping (Target, MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) {
        let token = WeakTarget(target)
        change { state in
            state.targets.append((token, { event in (token.object as? Target).map { call($0, event) } }))
        }
    }

    /// Removes a handler of the command.
    ///
    /// - Parameter target: what adding it returned, or the object; `nil` removes all.
    public final func removeTarget(_ target: Any?) {
        let object = target as AnyObject?
        change { state in
            guard let object else { return state.targets = [] }
            let id = ObjectIdentifier(object)
            state.targets.removeAll { $0.token === object || ($0.token as? WeakTarget)?.id == id }
        }
    }

    final var isOffered: Bool { state.withLock { $0.isEnabled && !$0.targets.isEmpty } }

    /// Calls `changed` whenever ``isOffered`` may have changed.
    final func observe(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

    /// Calls the handlers, on the main queue.
    final func perform(_ event: MPRemoteCommandEvent) {
        guard isOffered else { return }
        for target in state.withLock(\.targets) { _ = target.call(event) }
    }

    /// Changes the state, and releases removed handlers without the lock, because deinitializers of
    /// what they capture may use this command.
    private func change(_ change: (inout State) -> Void) {
        let (changed, former) = state.withLock { state in
            let former = state.targets
            change(&state)
            return (state.changed, former)
        }
        changed?()
        withExtendedLifetime(former) {}
    }
}

/// An object whose method is a handler.
private final class WeakTarget: NSObject {
    weak var object: AnyObject?
    /// Identifies the object without a reference, which could be the last one.
    let id: ObjectIdentifier

    init(_ object: AnyObject) {
        self.object = object
        id = ObjectIdentifier(object)
    }
}

/// A command to jump by an interval.
// Unchecked, because the compiler wants what the superclass says repeated; and so below.
public final class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    private let intervals = Locked<[NSNumber]>([15])

    /// The intervals in seconds. The desktop chooses its own, so they have no effect.
    public var preferredIntervals: [NSNumber] {
        get { intervals.withLock(\.self) }
        set { intervals.withLock { $0 = newValue } }
    }
}

/// A command to jump to a position.
public final class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

/// A command to change the rate of playback, which the desktop never gives.
public final class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    private let rates = Locked<[NSNumber]>([])

    /// The rates that the program supports. They have no effect.
    public var supportedPlaybackRates: [NSNumber] {
        get { rates.withLock(\.self) }
        set { rates.withLock { $0 = newValue } }
    }
}
