/// A piece of a line in one style.
struct Piece: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case plain, dim, strong
        /// The only color: for the current track and its progress.
        case accent
    }
    var text: String
    var style = Style.plain
}

/// One row of the screen.
struct Line: Sendable, Hashable {
    var pieces: [Piece] = []

    init(_ pieces: Piece...) { self.pieces = pieces }

    /// The row with space in between, so that the right side ends at the last cell. The left side
    /// is cut.
    init(_ left: [Piece], _ right: [Piece] = [], cells: Int) {
        let taken = Line(right).cells
        pieces = Line(left).cut(to: max(0, cells - taken - (taken > 0 ? 1 : 0))).pieces
        let space = cells - self.cells - taken
        if taken > 0, space > 0 { pieces.append(Piece(text: String(repeating: " ", count: space))) }
        pieces += right
        pieces = cut(to: cells).pieces
    }

    private init(_ pieces: [Piece]) { self.pieces = pieces }

    var text: String { pieces.map(\.text).joined() }
    var cells: Int { pieces.reduce(0) { $0 + $1.text.cells } }

    func cut(to cells: Int) -> Line {
        guard self.cells > cells else { return self }
        var room = cells
        var line = Line()
        for piece in pieces where room > 0 {
            line.pieces.append(Piece(text: piece.text.cut(to: room), style: piece.style))
            room -= piece.text.cells
        }
        return line
    }

    func indented(by cells: Int) -> Line {
        cells > 0 && !pieces.isEmpty ? Line([Piece(text: String(repeating: " ", count: cells))] + pieces) : self
    }
}
