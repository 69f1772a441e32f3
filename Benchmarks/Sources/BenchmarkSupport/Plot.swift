import Glibc

/// How long many things took, each as a curve: which share of its events was over after which time, on a logarithmic
/// scale. A panel for each kind of event, all of one scale.
public struct LatencyPlot {
    public struct Curve {
        let name: String
        /// Microseconds, and how many took so long, in rising order.
        let counts: [(time: Double, count: Double)]

        public init(_ name: String, _ counts: [(time: Double, count: Double)]) {
            self.name = name
            self.counts = counts
        }
    }

    private let title: String
    private var panels: [(title: String, curves: [Curve])] = []
    private var names: [String] = []

    public init(title: String) { self.title = title }

    public mutating func add(_ title: String, _ curves: [Curve]) {
        panels.append((title, curves))
        for curve in curves where !names.contains(curve.name) { names.append(curve.name) }
    }

    private static let (width, height, columns) = (300.0, 190.0, 3)

    public var svg: String {
        let rows = (panels.count + Self.columns - 1) / Self.columns
        let top = 44 + 18 * Double((names.count + 3) / 4)
        var picture = SVG(
            width: Self.width * Double(Self.columns) + 40, height: top + Self.height * Double(rows) + 10)
        picture.text(title, x: 20, y: 24, size: 14, weight: "bold")
        for (index, name) in names.enumerated() {
            let x = 20 + Double(index % 4) * 230
            let y = 44 + Double(index / 4) * 18
            picture.line([(x, y - 4), (x + 22, y - 4)], color: color(of: name), width: 3)
            picture.text(name, x: x + 28, y: y, size: 11)
        }
        for (index, panel) in panels.enumerated() {
            let origin = (
                x: 20 + Double(index % Self.columns) * Self.width,
                y: top + Double(index / Self.columns) * Self.height
            )
            draw(panel, at: origin, in: &picture)
        }
        return picture.text
    }

    /// From the quickest to the slowest that is not an accident.
    private var range: (low: Double, high: Double) {
        let times = panels.flatMap(\.curves).flatMap { $0.counts.map(\.time) }
        let low = pow(10, log10(max(1, times.min() ?? 1)).rounded(.down))
        return (low, max(low * 10, pow(10, log10(max(10, times.max() ?? 10)).rounded(.up))))
    }

    private func draw(
        _ panel: (title: String, curves: [Curve]), at origin: (x: Double, y: Double), in picture: inout SVG
    ) {
        let (left, top) = (origin.x + 26, origin.y + 20)
        let (width, height) = (Self.width - 50, Self.height - 60)
        let (low, high) = range
        func x(_ time: Double) -> Double { left + width * log10(max(time, low) / low) / log10(high / low) }
        func y(_ share: Double) -> Double { top + height * (1 - share) }
        picture.text(panel.title, x: left, y: top - 6, size: 12, weight: "bold")
        for share in [0, 0.5, 0.9, 1] {
            picture.line([(left, y(share)), (left + width, y(share))], color: "#ddd", width: 1)
            picture.text("\(Int(share * 100))%", x: left - 4, y: y(share) + 3, size: 8, anchor: "end")
        }
        var decade = low
        while decade <= high * 1.001 {
            picture.line([(x(decade), top), (x(decade), top + height)], color: "#ddd", width: 1)
            let name = decade < 1000 ? "\(Int(decade)) us" : "\(Int(decade / 1000)) ms"
            picture.text(name, x: x(decade), y: top + height + 12, size: 8, anchor: "middle")
            decade *= 10
        }
        for curve in panel.curves {
            let total = curve.counts.map(\.count).reduce(0, +)
            var (sum, last) = (0.0, 0.0)
            var points: [(Double, Double)] = []
            for (time, count) in curve.counts where total > 0 {
                points.append((x(time), y(last)))
                sum += count
                last = sum / total
                points.append((x(time), y(last)))
            }
            picture.line(
                Self.thinned(points), color: color(of: curve.name),
                width: curve.name.contains("AudioSessions") ? 2.5 : 1.3)
        }
    }

    /// Without what nobody could see: a thousand events are a thousand steps.
    private static func thinned(_ points: [(Double, Double)]) -> [(Double, Double)] {
        var kept: [(Double, Double)] = []
        for (place, point) in points.enumerated() {
            let isNear = kept.last.map { abs($0.0 - point.0) < 0.7 && abs($0.1 - point.1) < 0.7 } ?? false
            if !isNear || place == points.count - 1 { kept.append(point) }
        }
        return kept
    }

    private func color(of name: String) -> String {
        let colors = [
            "#444444", "#1f77b4", "#d62728", "#ff9896", "#2ca02c", "#9467bd", "#8c564b", "#bcbd22", "#17becf",
            "#e377c2",
        ]
        return colors[(names.firstIndex(of: name) ?? 0) % colors.count]
    }
}

/// Groups of bars, with what was shortest and longest of each as a whisker.
public struct BarPlot {
    private let title: String
    private var groups: [(title: String, bars: [Bar])] = []

    public struct Bar {
        let name: String
        let low, middle, high: Double

        public init(_ name: String, low: Double, middle: Double, high: Double) {
            self.name = name
            self.low = low
            self.middle = middle
            self.high = high
        }
    }

    public init(title: String) { self.title = title }

    public mutating func add(_ title: String, _ bars: [Bar]) { groups.append((title, bars)) }

    public var svg: String {
        let lines = groups.map { $0.bars.count + 2 }.reduce(0, +)
        var picture = SVG(width: 760, height: 50 + 18 * Double(lines))
        picture.text(title, x: 20, y: 24, size: 14, weight: "bold")
        let largest = max(1, groups.flatMap(\.bars).map(\.high).max() ?? 1)
        func x(_ value: Double) -> Double { 150 + 520 * value / largest }
        var y = 50.0
        for group in groups {
            picture.text(group.title, x: 20, y: y, size: 12, weight: "bold")
            for bar in group.bars {
                y += 18
                let color = bar.name.contains("AudioSessions") ? "#d62728" : "#7f9fbf"
                picture.text(bar.name, x: 144, y: y, size: 11, anchor: "end")
                picture.line([(x(0), y - 4), (max(x(bar.middle), x(0) + 1), y - 4)], color: color, width: 10)
                picture.line([(x(bar.low), y - 4), (x(bar.high), y - 4)], color: "#222", width: 1)
                picture.text(decimal(bar.middle, 1), x: x(bar.high) + 6, y: y, size: 10)
            }
            y += 36
        }
        return picture.text
    }
}

/// As much of a picture as the plots need.
struct SVG {
    private let head: String
    private var elements: [String] = []

    init(width: Double, height: Double) {
        head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="\(Int(height))" \
            font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>
            """
    }

    var text: String { ([head] + elements + ["</svg>", ""]).joined(separator: "\n") }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Int, weight: String = "normal", anchor: String = "start"
    ) {
        let escaped = text.map { ["<": "&lt;", ">": "&gt;", "&": "&amp;"][$0] ?? String($0) }.joined()
        elements.append(
            "<text x=\"\(decimal(x, 1))\" y=\"\(decimal(y, 1))\" font-size=\"\(size)\" font-weight=\"\(weight)\" "
                + "text-anchor=\"\(anchor)\">\(escaped)</text>")
    }

    mutating func line(_ points: [(Double, Double)], color: String, width: Double) {
        guard !points.isEmpty else { return }
        let text = points.map { "\(decimal($0.0, 1)),\(decimal($0.1, 1))" }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(text)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(decimal(width, 1))\"/>")
    }
}
