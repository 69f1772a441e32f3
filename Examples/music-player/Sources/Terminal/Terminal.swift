import ExampleSupport
import Glibc

/// The terminal that the screen is drawn on, and that is restored at the end.
///
/// Nothing is drawn, and no setting touched, while the program is in the shell's background.
final class Terminal {
    private var former: termios?
    private var drawn: [Line] = []
    private var drawnSize: (columns: Int, rows: Int)?
    private let isColored: Bool
    /// Whether there is a screen to draw on; if not, the terminal only gives keys.
    let hasScreen: Bool
    /// Whether the output has no reader any more.
    private(set) var isGone = false

    init(hasScreen: Bool) {
        self.hasScreen = hasScreen
        isColored = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    }

    deinit { leave() }

    /// Whether standard output can be drawn on.
    static var canDraw: Bool {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1, let type = getenv("TERM") else { return false }
        return !String.localeIsASCII && !["", "dumb"].contains(String(cString: type))
    }

    /// Not true for a program in the terminal's background, which reading or setting it would stop.
    static var isOurs: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    private var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    // MARK: Begin and end

    /// Delivers keys at once and without echo from now on; control-C and control-Z stay signals.
    /// Call it again when another program may have used the terminal.
    func enter() {
        guard Self.isOurs else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        if former == nil { former = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        guard hasScreen else { return }
        // The alternate screen, no cursor, and no wrapping, because terminals differ in the cells
        // of some characters.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
        drawnSize = nil
    }

    func leave() {
        guard var settings = former else { return }
        former = nil
        if hasScreen { write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") }
        if Self.isOurs { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    }

    // MARK: Drawing

    /// Draws only the rows that have changed.
    func draw(_ model: PlayerModel) {
        guard hasScreen, Self.isOurs else { return }
        if former == nil { enter() }
        let size = size
        var output = ""
        if drawnSize.map({ $0 != size }) ?? true {
            drawn = []
            output = "\u{1B}[2J"
        }
        let lines = Screen(model: model, columns: size.columns, rows: size.rows).lines
        for (row, line) in lines.enumerated() where !drawn.indices.contains(row) || drawn[row] != line {
            output += "\u{1B}[\(row + 1);1H\u{1B}[2K" + coded(line)
        }
        drawn = lines
        drawnSize = size
        if !output.isEmpty { write(output) }
    }

    private func coded(_ line: Line) -> String {
        line.pieces.map { "\u{1B}[\(code(of: $0.style))m\($0.text)\u{1B}[0m" }.joined()
    }

    private func code(of style: Piece.Style) -> String {
        switch style {
        case .plain: "0"
        case .dim: "2"
        case .strong: "1"
        case .accent: isColored ? "1;36" : "1"
        }
    }

    // MARK: Plain lines

    func say(_ line: String) { write(line + "\n") }

    private func write(_ text: String) {
        if !writeAll(text, to: STDOUT_FILENO) { isGone = true }
    }
}

/// Writes the bytes, and returns whether all of them could be written.
@discardableResult
func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.inLocale.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR || errno == EAGAIN else { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}
