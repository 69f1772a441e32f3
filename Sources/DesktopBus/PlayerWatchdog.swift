import CDesktopBus

/// A process that resumes paused players after this process ended in any way.
///
/// It asks the bus whether another program claims a player. It ends after its work, or with the
/// user's desktop session.
package final class PlayerWatchdog {
    private let handle: OpaquePointer

    package init(address: String) throws(DesktopBusError) {
        var code: Int32 = 0
        guard let handle = cdb_watchdog_create(address, &code) else {
            throw DesktopBusError(code: code, "The watchdog that resumes paused players cannot be started")
        }
        self.handle = handle
    }

    /// Makes the watchdog resume its players now.
    deinit { cdb_watchdog_destroy(handle) }

    /// Replaces the players that the watchdog resumes.
    /// - Parameter program: The unique name of the connection that claims the players.
    /// - Returns: Whether the list was sent.
    @discardableResult
    package func resumeAtExit(_ players: [String], by program: String) -> Bool {
        withPointers(players) { cdb_watchdog_set_players(handle, program, $0, UInt32(players.count)) >= 0 }
    }
}

/// Calls `body` with C strings that are valid during the call.
private func withPointers<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    var bytes: [CChar] = []
    var offsets: [Int] = []
    for string in strings {
        offsets.append(bytes.count)
        bytes += string.utf8CString
    }
    return bytes.withUnsafeBufferPointer { buffer in
        var pointers: [UnsafePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
