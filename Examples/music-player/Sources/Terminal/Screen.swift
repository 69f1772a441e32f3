import AudioSessionPlayback
import AudioSessions

/// The screen of a player: a pure function of its state and of the terminal's size.
struct Screen {
    let model: PlayerModel
    let columns: Int
    let rows: Int

    private var margin: Int { columns >= 40 ? 2 : 0 }
    private var cells: Int { max(0, columns - 2 * margin) }

    /// One line for each row, none longer than the columns.
    var lines: [Line] {
        let lines =
            switch rows {
            case 16...: roomy
            case 8...: list(rows - 4) + [progress, route, note, keys]
            default: Array([title, progress, route, note, keys].prefix(max(0, rows)))
            }
        let padding = Array(repeating: Line(), count: max(0, rows - lines.count))
        return (lines + padding).map { $0.indented(by: margin).cut(to: columns) }
    }

    private var roomy: [Line] {
        [Line(), header, Line()] + list(rows - 12)
            + [Line(), title, progress, Line(), route, Line(), note, keys, Line()]
    }

    // MARK: Tracks

    private var header: Line {
        let total = model.tracks.reduce(Duration.zero) { $0 + $1.duration }
        let skipped =
            switch model.skippedCount {
            case 0: ""
            case 1: " · 1 file skipped"
            default: " · \(model.skippedCount) files skipped"
            }
        let place = model.current.map { "\($0 + 1) of " } ?? ""
        return Line(
            [Piece(text: "music-player\(skipped)", style: .dim)],
            [Piece(text: "\(place)\(model.tracks.count) · \(total.clock)", style: .dim)], cells: cells)
    }

    /// The tracks around the current one.
    private func list(_ rows: Int) -> [Line] {
        let rows = max(0, rows)
        let first = max(0, min((model.current ?? 0) - rows / 2, model.tracks.count - rows))
        let shown = model.tracks.indices.dropFirst(first).prefix(rows).map(row)
        return shown + Array(repeating: Line(), count: rows - shown.count)
    }

    private func row(_ index: Int) -> Line {
        let track = model.tracks[index]
        let isCurrent = index == model.current
        let number = "\(index + 1)".leftPadded(to: "\(model.tracks.count)".count)
        return Line(
            [
                Piece(text: isCurrent ? "\(sign) " : "  ", style: .accent),
                Piece(text: "\(number)  ", style: isCurrent ? .accent : .dim),
                Piece(text: track.name, style: isCurrent ? .accent : .plain),
            ], [Piece(text: track.duration.clock, style: .dim)], cells: cells)
    }

    private var sign: String {
        switch model.state {
        case .playing: "▶"
        case .paused: "‖"
        case .stopped, .finished: "■"
        @unknown default: "■"
        }
    }

    // MARK: Track and output

    private var title: Line {
        guard let track = model.track else { return Line(Piece(text: "nothing loaded", style: .dim)) }
        let artist = track.artist.map { Piece(text: "  \($0)", style: .dim) }
        return Line(
            [Piece(text: "\(sign) ", style: .accent), Piece(text: track.title, style: .strong)]
                + [artist].compactMap(\.self),
            cells: cells)
    }

    private var progress: Line {
        let duration = model.track?.duration ?? .zero
        let position = min(model.position, duration)
        let total = duration.clock
        let elapsed = position.clock.leftPadded(to: total.cells)
        let room = cells - elapsed.cells - total.cells - 2
        guard room >= 4 else { return Line([Piece(text: elapsed)], [Piece(text: total, style: .dim)], cells: cells) }
        let share = duration > .zero ? position / duration : 0
        return Line(
            [Piece(text: "\(elapsed) ")] + Self.bar(share, cells: room) + [Piece(text: " \(total)", style: .dim)],
            cells: cells)
    }

    private var route: Line {
        let volume = "\(Int((model.volume * 100).rounded()))".leftPadded(to: 3) + " %"
        let bar = Self.bar(Double(model.volume), cells: 10)
        let right = cells >= 50 ? [Piece(text: "volume ", style: .dim)] + bar + [Piece(text: " ")] : []
        guard let output = model.output else {
            return Line([Piece(text: "🔇 no output", style: .strong)], right + [Piece(text: volume)], cells: cells)
        }
        let name = output.name.printable
        var left = [Piece(text: "\(output.label.sign) \(name)")]
        // "Headphones · headphones" would repeat the name.
        let type = output.type.label.noun
        if !name.lowercased().contains(type.lowercased()) { left.append(Piece(text: " · \(type)", style: .dim)) }
        if output.isUncertain { left.append(Piece(text: "?", style: .dim)) }
        return Line(left, right + [Piece(text: volume)], cells: cells)
    }

    // MARK: Events and keys

    private var note: Line {
        guard let last = model.last else { return Line() }
        let time = cells >= 40 ? [Piece(text: "\(last.time)  ", style: .dim)] : []
        let advice = model.advice.map { [Piece(text: " · \($0)", style: .dim)] } ?? []
        return Line(time + [Piece(text: last.text)] + advice, cells: cells)
    }

    private var keys: Line {
        let versions = [
            "space play/pause   n next   p previous   ← → seek   ↑ ↓ volume   q quit",
            "space n p ←→ seek ↑↓ volume q quit", "space n p ←→ ↑↓ q",
        ]
        let text = versions.first { $0.cells <= cells } ?? versions[2]
        return Line([Piece(text: text, style: .dim)], cells: cells)
    }

    /// A bar that is filled from the left, to half a cell.
    static func bar(_ share: Double, cells: Int) -> [Piece] {
        let cells = max(0, cells)
        let halves = Int((min(max(share, 0), 1) * Double(cells * 2)).rounded(.down))
        let filled = String(repeating: "━", count: halves / 2) + (halves % 2 > 0 ? "╸" : "")
        let rest = String(repeating: "─", count: cells - filled.count)
        return [Piece(text: filled, style: .accent), Piece(text: rest, style: .dim)]
    }
}
