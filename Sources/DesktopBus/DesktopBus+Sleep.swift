import CDesktopBus
import Glibc

/// Sleep of the computer, as logind reports it.
extension DesktopBus {
    /// Subscribes to the signal ``Signal/sleepChanged(begins:)``.
    package func watchSleep() {
        _ = cdb_bus_watch_sleep(bus)
        settle()
    }

    /// Asks logind to delay each sleep while the file of the reply is open.
    ///
    /// - Parameters:
    ///   - who: The name of the program, which logind shows to users.
    ///   - why: The purpose, which logind shows to users.
    ///   - reply: Called with the file, or with an error if logind delays no sleep.
    package func inhibitSleep(
        who: String, why: String, _ reply: @escaping (Result<OpenFile, DesktopBusError>) -> Void
    ) {
        send({ answer in
            switch answer {
            case .file(let file): reply(.success(file))
            case .error(let name): reply(.failure(DesktopBusError("logind does not delay the sleep: \(name)")))
            case .text, .number, .texts: reply(.failure(DesktopBusError("logind returned no inhibitor")))
            }
        }) { cdb_bus_inhibit_sleep(bus, $0, who, why) }
    }
}

/// A file descriptor that is open as long as this object exists.
package final class OpenFile: Sendable, Hashable {
    private let file: Int32

    /// Duplicates a descriptor; `nil` if the process cannot open another file.
    init?(copying file: Int32) {
        self.file = fcntl(file, F_DUPFD_CLOEXEC, 0)
        if self.file < 0 { return nil }
    }

    deinit { close(file) }

    package static func == (left: OpenFile, right: OpenFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
