/// A piece of a line in one style.
struct Span: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case plain, dim, strong
        /// The one colour there is: what plays.
        case accent
        /// The same, before the part of a bar that is still to come.
        case bar
    }
    var text: String
    var style = Style.plain
}

/// One row of the screen.
struct Line: Sendable, Hashable {
    var spans: [Span] = []

    init(_ spans: Span...) { self.spans = spans }

    /// With space between, so that the right side ends at the last of so many cells. The left side gives way.
    init(_ left: [Span], _ right: [Span] = [], cells: Int) {
        let taken = Line(right).cells
        spans = Line(left).cut(to: max(0, cells - taken - (taken > 0 ? 1 : 0))).spans
        let space = cells - self.cells - taken
        if taken > 0, space > 0 { spans.append(Span(text: String(repeating: " ", count: space))) }
        spans += right
        spans = cut(to: cells).spans
    }

    private init(_ spans: [Span]) { self.spans = spans }

    var text: String { spans.map(\.text).joined() }
    var cells: Int { spans.reduce(0) { $0 + $1.text.cells } }

    func cut(to cells: Int) -> Line {
        guard self.cells > cells else { return self }
        var room = cells
        var line = Line()
        for span in spans where room > 0 {
            line.spans.append(Span(text: span.text.cut(to: room), style: span.style))
            room -= span.text.cells
        }
        return line
    }

    func indented(by cells: Int) -> Line {
        cells > 0 && !spans.isEmpty ? Line([Span(text: String(repeating: " ", count: cells))] + spans) : self
    }
}
