import AudioSessionPlayback
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// A player for which a C program holds a handle.
final class Player: HandlerOwner {
    let player: AudioPlayer
    let handlerQueue: HandlerQueue
    private let observation: EventObservation

    init(_ player: AudioPlayer, calledBy dispatcher: Dispatcher?) {
        self.player = player
        handlerQueue = HandlerQueue(calledBy: dispatcher)
        observation = player.observe { [handlerQueue] in handlerQueue.push($0) }
    }
}

/// The queue of a player at one moment, for C programs.
final class Queue: Sendable {
    private let items: [QueueItem]

    init(_ items: [AudioPlayer.Item]) { self.items = items.map(QueueItem.init) }

    var count: Int { items.count }

    func item(_ index: UInt32) throws(Failure) -> QueueItem {
        guard index < items.count else {
            throw .badParam("There are \(items.count) files, and none of number \(index).")
        }
        return items[Int(index)]
    }
}

extension AudioPlayer.Configuration {
    init(_ pointer: UnsafePointer<as_player_options>?) throws(Failure) {
        try checkSize(pointer)
        self.init()
        guard let options = pointer?.pointee else { return }
        role = try AudioPlayer.Role(options.role)
        applicationName = try text(options.application_name, "application_name")
        nodeName = try text(options.node_name, "node_name")
    }
}

/// The caller's paths. Those that are not UTF-8 become file URLs.
private func list(
    _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt32
) throws(Failure) -> [String] {
    guard count > 0 else { return [] }
    // Before the array is read, because a larger number is often a negative one of the program's.
    let limit = AudioPlayer.maximumQueueLength
    guard count <= limit else {
        throw Failure(
            status: AS_ERROR_TOO_MANY_ITEMS,
            message: "A queue has at most \(limit) items, not \(count). Load the rest later.")
    }
    guard let paths else { throw .badParam("There are no paths: they are NULL.") }
    var list: [String] = []
    for index in 0..<Int(count) {
        guard let path = paths[index] else { throw .badParam("Path \(index) is NULL.") }
        list.append(SoundFileName.string(path: path))
    }
    return list
}

@c @implementation
public func as_player_create(
    _ session: OpaquePointer?, _ options: UnsafePointer<as_player_options>?,
    _ player: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    make(player, "player", error) {
        let owner = try Handles.all.find(session, Session.self)
        return Player(
            AudioPlayer(session: owner.session, configuration: try .init(options)),
            calledBy: owner.handlerQueue.dispatcher)
    }
}

@c @implementation
public func as_player_destroy(_ player: OpaquePointer?) -> as_status {
    takeBack(player, Player.self) { await $0.player.close() }
}

@c @implementation
public func as_player_load(
    _ player: OpaquePointer?, _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt32,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let (player, paths) = (try Handles.all.find(player, Player.self).player, try list(paths, count))
        try waitUntilDone { try await player.load(paths) }
    }
}

@c @implementation
public func as_player_enqueue(
    _ player: OpaquePointer?, _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt32,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let (player, paths) = (try Handles.all.find(player, Player.self).player, try list(paths, count))
        try waitUntilDone { try await player.enqueue(paths) }
    }
}

@c @implementation
public func as_player_play(_ player: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(player, Player.self, error) { try await $0.player.play() }
}

@c @implementation
public func as_player_pause(_ player: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(player, Player.self, error) { await $0.player.pause() }
}

@c @implementation
public func as_player_stop(_ player: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(player, Player.self, error) { await $0.player.stop() }
}

@c @implementation
public func as_player_seek(
    _ player: OpaquePointer?, _ seconds: Double, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(player, Player.self, error) {
        guard seconds >= 0 else {
            throw Failure.badParam("A file has no moment of \(seconds) seconds. Seek to 0 or later.")
        }
        // Longer than any file, and within what a duration holds.
        try await $0.player.seek(to: .seconds(min(seconds, 1e9)))
    }
}

@c @implementation
public func as_player_skip(
    _ player: OpaquePointer?, _ index: UInt32, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(player, Player.self, error) { try await $0.player.skip(to: Int(index)) }
}

@c @implementation
public func as_player_skip_to_next(_ player: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?) -> as_status {
    perform(player, Player.self, error) { try await $0.player.skipToNext() }
}

@c @implementation
public func as_player_skip_to_previous(
    _ player: OpaquePointer?, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(player, Player.self, error) { try await $0.player.skipToPrevious() }
}

@c @implementation
public func as_player_set_volume(
    _ player: OpaquePointer?, _ volume: Float, _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    perform(player, Player.self, error) { try await $0.player.setVolume(volume) }
}

@c @implementation
public func as_player_get_info(
    _ player: OpaquePointer?, _ info: UnsafeMutablePointer<as_player_info>?
) -> as_status {
    answer {
        let values = try Handles.all.find(player, Player.self).player.values
        try write(
            as_player_info(
                size: 0, state: as_stream_state(values.state), pause_reason: as_pause_reason(values.state),
                volume: values.volume, current_index: Int32(values.current ?? -1),
                queue_length: UInt32(values.queue.count), position: values.position / .seconds(1),
                duration: (values.item?.duration ?? .zero) / .seconds(1), underruns: UInt64(values.underruns)),
            to: info)
    }
}

@c @implementation
public func as_player_get_queue(
    _ player: OpaquePointer?, _ items: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    items?.pointee = nil
    return answer {
        try give(items, "items") { Queue(try Handles.all.find(player, Player.self).player.queue) }
    }
}

@c @implementation
public func as_items_count(_ items: OpaquePointer?) -> UInt32 {
    count(items, Queue.self, \.count)
}

@c @implementation
public func as_items_get(
    _ items: OpaquePointer?, _ index: UInt32, _ item: UnsafeMutablePointer<as_item>?
) -> as_status {
    answer {
        let found = try Handles.all.find(items, Queue.self).item(index)
        if let value = found.pointer?.pointee { try write(value, to: item) }
    }
}

@c @implementation
public func as_items_free(_ items: OpaquePointer?) -> as_status {
    guard items != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(items, Queue.self) }
}

@c @implementation
public func as_player_get_statistics(
    _ player: OpaquePointer?, _ statistics: UnsafeMutablePointer<as_stream_statistics>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    read(player, Player.self, to: statistics, error) { as_stream_statistics(await $0.player.statistics) }
}

@c @implementation
public func as_player_get_route(
    _ player: OpaquePointer?, _ route: UnsafeMutablePointer<OpaquePointer?>?
) -> as_status {
    route?.pointee = nil
    return answer {
        try give(route, "route") { Route(try Handles.all.find(player, Player.self).player.route) }
    }
}

@c @implementation
public func as_player_set_handler(
    _ player: OpaquePointer?, _ handler: as_player_handler?, _ userData: UnsafeMutableRawPointer?
) -> as_status {
    answer { try Handles.all.find(player, Player.self).handlerQueue.setStreamHandler(handler, userData) }
}
