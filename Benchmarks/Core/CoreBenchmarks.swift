import AudioSessionCore
import Benchmark

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], scalingFactor: .kilo, maxDuration: .seconds(2),
        // Other machines and other load are no news; twice as many steps for each session would be.
        thresholds: [.wallClock: .init(relative: [.p50: 200])])

    for count in [0, 100, 1000] {
        Benchmark("board: a session comes and goes beside \(count)") { benchmark in
            var board = Board(sessions: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { board.someoneComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }

    for count in [0, 100, 1000] {
        Benchmark("routes: a sink comes and goes beside \(count) nodes") { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.sinkComesAndGoes() }
            benchmark.stopMeasurement()
        }
        Benchmark("routes: another program's stream comes and goes beside \(count) nodes") { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.streamComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }
}
