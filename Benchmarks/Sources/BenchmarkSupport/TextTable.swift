/// Columns of equal width: the first `left` are aligned left, the others right.
public func textTable(_ rows: [[String]], left: Int) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        row.enumerated().map { column, cell in
            let space = String(repeating: " ", count: widths[column] - cell.count)
            return column < left ? cell + space : space + cell
        }.joined(separator: "  ")
    }.joined(separator: "\n")
}

/// The number with so many decimals.
public func decimal(_ value: Double, _ digits: Int) -> String {
    let power = (0..<digits).reduce(1) { power, _ in power * 10 }
    let number = Int((value * Double(power)).rounded())
    let text = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    let whole = padded.dropLast(digits)
    return (number < 0 ? "-" : "") + (digits == 0 ? whole : "\(whole).\(padded.suffix(digits))")
}

extension [Double] {
    /// The smallest value that so many percent of all do not exceed.
    public func percentile(_ percent: Int) -> Double {
        isEmpty ? 0 : sorted()[Swift.max(0, (count * percent + 99) / 100 - 1)]
    }
}
