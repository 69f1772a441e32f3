import CDesktopBus

/// A media player that this process shows on the bus (MPRIS) for media keys and desktop widgets.
///
/// A bus has at most one. The object must be used on the thread of the bus's loop.
package final class PlayerObject {
    package struct State: Sendable, Hashable {
        package var identity: String
        package var desktopEntry = ""
        /// The playback status: Playing, Paused or Stopped.
        package var status = "Stopped"
        /// The object path of the track; empty if nothing is loaded.
        package var track = ""
        package var title = ""
        package var artist = ""
        package var url = ""
        /// The length of the track in microseconds; 0 if it is unknown.
        package var length: Int64 = 0
        package var volume = 1.0
        package var canGoNext = false
        package var canGoPrevious = false
        package var canPlay = false
        package var canPause = false
        package var canSeek = false
        package var canRaise = false
        package var canQuit = false

        package init(identity: String) { self.identity = identity }
    }

    /// A command of another program. Times are in microseconds.
    package enum Command: Sendable, Hashable {
        case play, pause, playPause, stop, next, previous, raise, quit
        case seek(by: Int64)
        case setPosition(Int64, track: String)
        case setVolume(Double)
    }

    private final class Handler {
        let receive: (Command, String) -> Void
        let position: () -> Int64

        init(_ receive: @escaping (Command, String) -> Void, _ position: @escaping () -> Int64) {
            self.receive = receive
            self.position = position
        }
    }

    private let bus: DesktopBus
    private let player: OpaquePointer
    private let context: Unmanaged<Handler>

    /// Shows a player on the bus.
    ///
    /// - Parameters:
    ///   - bus: The connection to the session bus.
    ///   - state: The state that is shown first.
    ///   - position: Returns the playback position in microseconds.
    ///   - receive: Called with each command, and the unique name of the client that sent it.
    /// - Throws: An error if the bus does not accept the player.
    package init(
        on bus: DesktopBus, _ state: State, position: @escaping () -> Int64,
        receive: @escaping (Command, String) -> Void
    ) throws(DesktopBusError) {
        let context = Unmanaged.passRetained(Handler(receive, position))
        var events = cdb_player_events(
            ordered: { user, order in
                guard let command = Command(order.pointee) else { return }
                PlayerObject.handler(user).receive(command, String(order.pointee.sender) ?? "")
            },
            position: { PlayerObject.handler($0).position() })
        var code: Int32 = 0
        let player = state.withContents { state in
            var state = state
            return cdb_player_create(bus.bus, &state, &events, context.toOpaque(), &code)
        }
        guard let player else {
            context.release()
            throw DesktopBusError(code: code, "The player cannot be shown on the session bus")
        }
        self.bus = bus
        self.player = player
        self.context = context
    }

    /// Removes the player from the bus. A command's handler must not release the object.
    deinit {
        cdb_player_destroy(player)
        context.release()
    }

    private static func handler(_ user: UnsafeMutableRawPointer?) -> Handler {
        Unmanaged<Handler>.fromOpaque(user!).takeUnretainedValue()
    }

    /// Publishes a new state, and notifies other programs of the properties that changed.
    package func update(_ state: State) {
        state.withContents { state in
            var state = state
            _ = cdb_player_update(player, &state)
        }
        bus.settle()
    }

    /// Notifies other programs of a jump of the playback position, given in microseconds.
    package func sought(to position: Int64) {
        _ = cdb_player_seeked(player, position)
        bus.settle()
    }
}

extension PlayerObject.State {
    /// Calls `body` with C strings that are valid during the call.
    fileprivate func withContents<Result>(_ body: (cdb_player_state) -> Result) -> Result {
        withCString(identity) { identity in
            withCString(desktopEntry) { desktopEntry in
                withCString(status) { status in
                    withCString(track) { track in
                        withCString(title) { title in
                            withCString(artist) { artist in
                                withCString(url) { url in
                                    body(
                                        cdb_player_state(
                                            identity: identity, desktop_entry: desktopEntry, status: status,
                                            track: track, title: title, artist: artist, url: url, length: length,
                                            volume: volume, can_go_next: canGoNext, can_go_previous: canGoPrevious,
                                            can_play: canPlay, can_pause: canPause, can_seek: canSeek,
                                            can_raise: canRaise, can_quit: canQuit))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The bus refuses a whole message with a noncharacter of Unicode, which a file's tags may
    /// have.
    private func withCString<Result>(_ text: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard text.unicodeScalars.contains(where: \.isNoncharacter) else { return text.withCString(body) }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { plain.append(scalar.isNoncharacter ? "\u{FFFD}" : scalar) }
        return String(plain).withCString(body)
    }
}

extension Unicode.Scalar {
    fileprivate var isNoncharacter: Bool { value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) }
}

extension PlayerObject.Command {
    fileprivate init?(_ order: cdb_order) {
        switch order.command {
        case CDB_COMMAND_PLAY: self = .play
        case CDB_COMMAND_PAUSE: self = .pause
        case CDB_COMMAND_PLAY_PAUSE: self = .playPause
        case CDB_COMMAND_STOP: self = .stop
        case CDB_COMMAND_NEXT: self = .next
        case CDB_COMMAND_PREVIOUS: self = .previous
        case CDB_COMMAND_SEEK: self = .seek(by: order.time)
        case CDB_COMMAND_SET_POSITION: self = .setPosition(order.time, track: String(order.track) ?? "")
        case CDB_COMMAND_SET_VOLUME: self = .setVolume(order.value)
        case CDB_COMMAND_RAISE: self = .raise
        case CDB_COMMAND_QUIT: self = .quit
        default: return nil
        }
    }
}
