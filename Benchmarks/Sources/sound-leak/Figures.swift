import BenchmarkSupport

struct Figures {
    enum Loss: String, CaseIterable {
        case removal = "heard elsewhere after the sink went"
        case jack = "heard after the jack was pulled"
        case activation = "heard after another's activation"
    }

    /// The players in the order in which they were measured first.
    private var contestants: [Contestant] = []
    private var values: [Loss: [String: [Double]]] = [:]
    private var missing: Set<String> = []

    /// Adds a result in milliseconds; `nil` if the player is not installed.
    mutating func add(_ contestant: Contestant, _ loss: Loss, _ milliseconds: Double?) {
        guard let milliseconds else {
            missing.insert(contestant.name)
            return
        }
        if !contestants.contains(where: { $0.name == contestant.name }) { contestants.append(contestant) }
        values[loss, default: [:]][contestant.name, default: []].append(milliseconds)
    }

    var table: String {
        var rows = [["what", "player", "runs", "min", "p50", "max", ""]]
        for loss in Loss.allCases {
            for contestant in contestants {
                guard let all = values[loss]?[contestant.name] else { continue }
                let end = (all.min() ?? 0) > Stage.window * 900 ? "goes on" : ""
                rows.append(
                    [loss.rawValue, contestant.name, "\(all.count)"]
                        + [all.min() ?? 0, all.percentile(50), all.max() ?? 0].map { decimal($0, 1) } + [end])
            }
        }
        let absent = missing.sorted().map { "\n- left out: \($0) is not installed" }.joined()
        return textTable(rows, left: 2) + absent
    }

    struct Row: Encodable {
        let what: String
        let player: String
        let milliseconds: [Double]
    }

    var rows: [Row] {
        Loss.allCases.flatMap { loss in
            contestants.compactMap { contestant in
                values[loss]?[contestant.name].map {
                    Row(what: loss.rawValue, player: contestant.name, milliseconds: $0)
                }
            }
        }
    }

    /// The faults that make the figures invalid, or break this library's promise.
    var problems: [String] {
        var problems: [String] = []
        for contestant in contestants where contestant.isOurs {
            guard let leaked = values[.removal]?[contestant.name]?.max(), leaked > 0 else { continue }
            problems.append("\(decimal(leaked, 1)) ms of \(contestant.name) were heard on another output")
        }
        if let other = values[.jack]?["pw-play"]?.min(), other < Stage.window * 900 {
            problems.append("pw-play, which knows nothing of jacks, was heard for \(decimal(other, 1)) ms only")
        }
        return problems
    }
}
