import CDesktopBus

/// A process that lets players play when this one ends, however it ends.
///
/// It is the one mechanism there is for that: it knows what this process paused without anybody having to be told, and
/// asks the bus whether another one wants silence. It ends with what it guards, or with the session of the user's desktop.
package final class PlayerWatchdog {
    private let handle: OpaquePointer

    package init(address: String) throws(DesktopBusError) {
        var code: Int32 = 0
        guard let handle = cdb_watchdog_create(address, &code) else {
            throw DesktopBusError(code: code, "No process can be started that lets players play after this one's end")
        }
        self.handle = handle
    }

    /// It does now what it was told last.
    deinit { cdb_watchdog_destroy(handle) }

    /// - Parameter master: who claims the players.
    /// - Returns: whether it could be told.
    @discardableResult
    package func entrust(_ players: [String], by master: String) -> Bool {
        withPointers(players) { cdb_watchdog_set_players(handle, master, $0, UInt32(players.count)) >= 0 }
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
