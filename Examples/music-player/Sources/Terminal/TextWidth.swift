/// The width of text on a terminal, approximately: terminals differ for the newest emoji and some
/// scripts, and cut lines that are too long.
extension Character {
    var cells: Int {
        // A base character and a selector for its colored form.
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        return unicodeScalars.map(\.cells).max() ?? 0
    }
}

extension Unicode.Scalar {
    fileprivate var cells: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// East Asian scripts, in Unicode's blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}

extension String {
    var cells: Int { reduce(0) { $0 + $1.cells } }

    /// The text in at most so many cells, with an ellipsis where something is missing.
    func cut(to cells: Int) -> String {
        guard self.cells > cells else { return self }
        guard cells > 0 else { return "" }
        var text = ""
        var room = cells - 1
        for character in self {
            room -= character.cells
            guard room >= 0 else { break }
            text.append(character)
        }
        return text + "…"
    }

    func leftPadded(to cells: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(0, cells - self.cells)) + self
    }

    /// The text without characters that control the terminal, end the line or change the direction:
    /// names of files, tags and devices may contain any.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: text.unicodeScalars.append("\u{FFFD}")
            case .format where scalar != "\u{200D}": continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
