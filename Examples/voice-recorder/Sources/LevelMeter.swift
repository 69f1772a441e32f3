import AudioSessionPlayback
import ExampleSupport
import Glibc

/// The level in one line of the terminal, ten times a second.
struct LevelMeter {
    private let drawing: Task<Void, Never>

    /// Starts the meter; `nil` without a terminal to draw on.
    init?(of recorder: AudioRecorder) {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        // A timer, because levels are polled, not notified.
        drawing = Task {
            while (try? await Task.sleep(for: .milliseconds(100))) != nil {
                let bars = await recorder.currentLevels.map(Self.bar)
                draw("\r\u{1B}[K  " + bars.joined(separator: "  "))
            }
        }
    }

    func end() async {
        drawing.cancel()
        await drawing.value
        draw("\r\u{1B}[K")
    }

    /// The bar from -60 decibels, which is a quiet room, to full scale: "▮▮▮▮▮▯▯▯  -23 dB".
    static func bar(_ level: AudioRecorder.Level) -> String {
        let width = 30
        func place(_ decibels: Float) -> Int { Int((max(0, min(1, 1 + decibels / 60)) * Float(width)).rounded()) }
        let (average, peak) = (place(level.averagePower), place(level.peakPower))
        let cells = (0..<width).map { $0 < average ? "▮" : $0 < peak ? "▯" : "·" }
        let number = level.peakPower > -160 ? "\(Int(level.peakPower.rounded())) dB" : "silence"
        return cells.joined() + " " + number
    }
}
