import Glibc

/// A terminal that delivers each key at once without echo. It is restored when this is released.
final class KeyMode {
    private var before = termios()

    /// Starts the mode; `nil` without a terminal.
    init?() {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var settings = before
        // Signals stay: control-C is no key.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        set(settings)
    }

    deinit { set(before) }

    private func set(_ settings: termios) {
        // In the background it would stop the program instead.
        signal(SIGTTOU, SIG_IGN)
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
