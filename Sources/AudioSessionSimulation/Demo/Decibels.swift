import Glibc

enum Decibels {
    /// The level of an amplitude relative to `full`, in decibels. For silence it is -200, which is
    /// inaudible.
    static func of(_ amplitude: Float, relativeTo full: Float) -> Double {
        guard amplitude > 0, full > 0 else { return -200 }
        return 20 * log10(Double(amplitude) / Double(full))
    }

    static func amplitude(_ decibels: Double, of full: Float) -> Float { full * Float(pow(10, decibels / 20)) }

    /// Formats decibels with two decimals, for example "-13.98 dB".
    static func text(_ decibels: Double) -> String {
        let hundredths = Int(max(-20_000, min(20_000, decibels * 100)).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(hundredths < 0 ? "-" : "")\(whole)." + String("\(100 + rest)".dropFirst()) + " dB"
    }
}
