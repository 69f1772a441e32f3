import CDesktopBus

/// Calls to the bus itself and to the media players on it.
extension DesktopBus {
    package static let playerPrefix = "org.mpris.MediaPlayer2."
    static let playerPath = "/org/mpris/MediaPlayer2"
    static let playerInterface = "org.mpris.MediaPlayer2.Player"

    /// Reads all names on the bus. The list is empty if the call fails.
    package func names(_ reply: @escaping ([String]) -> Void) {
        callBus("ListNames") { if case .texts(let names) = $0 { reply(names) } else { reply([]) } }
    }

    /// Reads the unique name of the client that owns a name; `nil` if no client owns it.
    package func owner(of name: String, _ reply: @escaping (String?) -> Void) {
        callBus("GetNameOwner", name) { if case .text(let owner) = $0 { reply(owner) } else { reply(nil) } }
    }

    /// Reads whether any client owns a name; `nil` if the bus does not answer in time.
    package func isOwned(_ name: String, _ reply: @escaping (Bool?) -> Void) {
        callBus("GetNameOwner", name) { answer in
            switch answer {
            case .text: reply(true)
            case .error("org.freedesktop.DBus.Error.NameHasNoOwner"): reply(false)
            case .error, .number, .texts, .file: reply(nil)
            }
        }
    }

    package func processID(of name: String, _ reply: @escaping (Int?) -> Void) {
        callBus("GetConnectionUnixProcessID", name) {
            if case .number(let id) = $0 { reply(Int(id)) } else { reply(nil) }
        }
    }

    /// Requests a name. The bus assigns it when no other client owns it any more.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - reply: Called with `true` if this process owns the name at once.
    package func request(name: String, _ reply: @escaping (Bool) -> Void = { _ in }) {
        call(Self.busName, Self.busPath, Self.busName, "RequestName", "su", name, "", 0) {
            if case .number(let result) = $0 { reply(result == 1 || result == 4) } else { reply(false) }
        }
    }

    /// Requests a name for a player. If another player has it, `_2` is added, and so on, because a
    /// program may show several players, and programs in sandboxes have the same process number.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - reply: Called with `false` if the bus refuses the name.
    package func request(playerName name: String, _ reply: @escaping (Bool) -> Void) {
        request(playerName: name, number: 1, reply)
    }

    private func request(playerName name: String, number: Int, _ reply: @escaping (Bool) -> Void) {
        let numbered = number == 1 ? name : "\(name)_\(number)"
        let doNotQueue: UInt32 = 4
        call(Self.busName, Self.busPath, Self.busName, "RequestName", "su", numbered, "", doNotQueue) {
            [weak self] answer in
            switch answer {
            case .number(1), .number(4): reply(true)
            case .number where number < Self.playersOfOneName:
                self?.request(playerName: name, number: number + 1, reply)
            default: reply(false)
            }
        }
    }

    private static let playersOfOneName = 64

    package func release(name: String) { callBus("ReleaseName", name) { _ in } }

    package func status(ofPlayer name: String, _ reply: @escaping (String?) -> Void) {
        call(
            name, Self.playerPath, "org.freedesktop.DBus.Properties", "Get", "ss", Self.playerInterface,
            "PlaybackStatus"
        ) { if case .text(let status) = $0 { reply(status) } else { reply(nil) } }
    }

    /// The answer of a player to a command.
    package enum CommandResult: Sendable, Hashable {
        case accepted
        /// The player answered with an error, or does not exist.
        case refused
        /// The player did not answer in time. It has received the command and may still obey later.
        case unanswered
    }

    /// Sends a command to a player.
    ///
    /// - Parameters:
    ///   - member: Play, Pause or another command without arguments.
    ///   - name: The name of the player on the bus.
    ///   - reply: Called with the player's answer.
    package func command(
        _ member: String, toPlayer name: String, _ reply: @escaping (CommandResult) -> Void = { _ in }
    ) {
        call(name, Self.playerPath, Self.playerInterface, member) { answer in
            switch answer {
            case .error(let name): reply(Self.timeouts.contains(name) ? .unanswered : .refused)
            case .text, .number, .texts, .file: reply(.accepted)
            }
        }
    }

    /// The errors by which sd-bus and the bus report a missing answer.
    private static let timeouts: Set = [
        "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
        "org.freedesktop.DBus.Error.TimedOut", "System.Error.ETIMEDOUT",
    ]

    /// Returns the name that a program owns while it needs the player with this address silent.
    package static func claim(on owner: String) -> String? {
        var name = [CChar](repeating: 0, count: Int(CDB_CLAIM_SIZE))
        guard cdb_claim_name(owner, &name) else { return nil }
        return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    private static let busName = "org.freedesktop.DBus"
    private static let busPath = "/org/freedesktop/DBus"

    private func callBus(_ member: String, _ name: String? = nil, _ reply: @escaping (Reply) -> Void) {
        call(Self.busName, Self.busPath, Self.busName, member, name == nil ? "" : "s", name ?? "", reply: reply)
    }
}
