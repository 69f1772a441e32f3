import Glibc
import Synchronization

/// A terminal that delivers each key at once without echo. It is restored when this is released.
///
/// While the program is in the background, the terminal is another program's and is not changed.
final class KeyMode: Sendable {
    /// The settings before; `nil` until the mode began.
    private let former = Mutex<termios?>(nil)

    /// Whether the program may use its terminal. A pipe is always its own.
    static var isInForeground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    init() {
        // The shell may take the terminal back at any time. A change would then stop the program.
        signal(SIGTTOU, SIG_IGN)
    }

    deinit {
        former.withLock { former in
            guard Self.isInForeground, var settings = former else { return }
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }

    /// Starts the mode. Call it again when another program may have used the terminal.
    func begin() {
        former.withLock { former in
            var settings = termios()
            guard Self.isInForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
            if former == nil { former = settings }
            // Signals stay: control-C is no key.
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
    }
}
