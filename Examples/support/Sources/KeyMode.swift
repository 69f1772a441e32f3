import Glibc

/// A terminal that hands over each key at once and shows none; as before when this goes.
final class KeyMode {
    private var before = termios()

    /// `nil` where there is no terminal.
    init?() {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var settings = before
        // Signals stay: Control-C is no key.
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
