import AudioSessionCore
import AudioSessionDesktop
public import CAudioSession
import PipeWireGraph

/// A player that a C program shows on the desktop.
final class PlayerShown: HandlerOwner {
    let nowPlaying: NowPlaying
    let handlerQueue: HandlerQueue

    init(_ nowPlaying: NowPlaying, _ handlerQueue: HandlerQueue) {
        self.nowPlaying = nowPlaying
        self.handlerQueue = handlerQueue
    }
}

/// A command of the desktop that the program obeys itself.
private struct Command: CEvent {
    let type: as_command_type
    let time = MonotonicTime.now

    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        let command = as_command(
            size: UInt32(MemoryLayout<as_command>.size), type: type, time: time.nanoseconds, dropped: dropped,
            reserved: 0)
        withUnsafePointer(to: command) { body($0) }
    }
}

extension NowPlaying.Configuration {
    init(_ pointer: UnsafePointer<as_now_playing_options>?, _ handlerQueue: HandlerQueue) throws(Failure) {
        try checkSize(pointer)
        guard let options = pointer?.pointee, let name = try text(options.name, "name") else {
            throw .badParam("A player is shown by a name. Set 'name' to that of the program.")
        }
        let raise: @Sendable () -> Void = { handlerQueue.push(Command(type: AS_COMMAND_RAISE)) }
        let quit: @Sendable () -> Void = { handlerQueue.push(Command(type: AS_COMMAND_QUIT)) }
        self.init(
            name: name, desktopEntry: try text(options.desktop_entry, "desktop_entry"),
            raise: options.can_raise ? raise : nil, quit: options.can_quit ? quit : nil)
    }
}

@c @implementation
public func as_now_playing_create(
    _ player: OpaquePointer?, _ options: UnsafePointer<as_now_playing_options>?,
    _ nowPlaying: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(nowPlaying, "now playing", error) {
        let owner = try Handles.all.find(player, Player.self)
        let handlerQueue = HandlerQueue(calledBy: owner.handlerQueue.dispatcher)
        return PlayerShown(
            try NowPlaying(player: owner.player, configuration: .init(options, handlerQueue)), handlerQueue)
    }
}

@c @implementation
public func as_now_playing_destroy(_ nowPlaying: OpaquePointer?) -> as_status {
    takeBack(nowPlaying, PlayerShown.self) { await $0.nowPlaying.close() }
}

@c @implementation
public func as_now_playing_check(
    _ nowPlaying: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        if let reason = try Handles.all.find(nowPlaying, PlayerShown.self).nowPlaying.unavailability {
            throw Failure(status: AS_ERROR_RESOURCE_NOT_AVAILABLE, message: reason)
        }
    }
}

@c @implementation
public func as_now_playing_set_handler(
    _ nowPlaying: OpaquePointer?, _ handler: as_now_playing_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer {
        let handlerQueue = try Handles.all.find(nowPlaying, PlayerShown.self).handlerQueue
        guard let handler else { return try handlerQueue.removeHandler() }
        try handlerQueue.setFunction({ handler($0, $1.assumingMemoryBound(to: as_command.self), $2) }, userData)
    }
}
