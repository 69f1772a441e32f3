import CDesktopBus
import Glibc

/// logind: the computer's sleep.
extension DesktopBus {
    /// Receives ``Signal/sleepChanged(begins:)`` from now on.
    package func watchSleep() {
        _ = cdb_bus_watch_sleep(bus)
        settle()
    }

    /// Asks logind to delay each sleep while the reply's file is open.
    /// - Parameters:
    ///   - who: the program's name, for people.
    ///   - why: the purpose, for people.
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

/// A file that is open for as long as this object lives.
package final class OpenFile: Sendable, Hashable {
    private let file: Int32

    /// `nil` if the process has no room for another file.
    init?(copying file: Int32) {
        self.file = fcntl(file, F_DUPFD_CLOEXEC, 0)
        if self.file < 0 { return nil }
    }

    deinit { close(file) }

    package static func == (left: OpenFile, right: OpenFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
