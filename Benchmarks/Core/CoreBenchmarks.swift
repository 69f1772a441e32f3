import Benchmark
import CoreScenes

/// Each benchmark adds and removes one object. Thresholds has a file of each name, without which
/// nothing is checked.
let benchmarks: @Sendable () -> Void = {
    func configuration(_ factor: BenchmarkScalingFactor) -> Benchmark.Configuration {
        // Another computer and load may give other times, but not one step for each pair of
        // sessions.
        .init(
            metrics: [.wallClock], scalingFactor: factor, maxDuration: .seconds(2),
            thresholds: [.wallClock: .init(relative: [.p90: 900])])
    }

    /// Adds a benchmark. `make` creates a computer beside so many others, and the events on it.
    func measure(
        _ name: String, _ factor: BenchmarkScalingFactor = .one, make: @escaping @Sendable (Int) -> () -> Void
    ) {
        for count in [0, 100, 1000] {
            Benchmark("\(name)-beside-\(count)", configuration: configuration(factor)) { benchmark in
                let happen = make(count)
                benchmark.startMeasurement()
                for _ in benchmark.scaledIterations { happen() }
                benchmark.stopMeasurement()
            }
        }
    }

    measure("board-session", .kilo) { count in
        var board = Board(sessions: count)
        return { board.activateAndEndOther() }
    }
    measure("routes-sink") { count in
        var computer = Computer(streams: count)
        return { computer.sinkComesAndGoes() }
    }
    measure("routes-jack") { count in
        var computer = Computer(streams: count)
        return { computer.jackIsPluggedAndPulled() }
    }
    measure("routes-stream", .kilo) { count in
        var computer = Computer(streams: count)
        return { computer.streamComesAndGoes() }
    }
    measure("decoded-sink") { DecodedComputer(streams: $0).sinkComesAndGoes }
    measure("decoded-jack") { DecodedComputer(streams: $0).jackIsPluggedAndPulled }
}
