import Benchmark
import CoreScenes

/// Each is the coming and going of one thing. The names are those of files in Thresholds, without which nothing is checked.
let benchmarks: @Sendable () -> Void = {
    func configuration(_ factor: BenchmarkScalingFactor) -> Benchmark.Configuration {
        // Other machines and other load are no news; a step for each pair of sessions would be.
        .init(
            metrics: [.wallClock], scalingFactor: factor, maxDuration: .seconds(2),
            thresholds: [.wallClock: .init(relative: [.p90: 900])])
    }

    for count in [0, 100, 1000] {
        Benchmark("board-session-beside-\(count)", configuration: configuration(.kilo)) { benchmark in
            var board = Board(sessions: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { board.someoneComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }

    for count in [0, 100, 1000] {
        Benchmark("routes-sink-beside-\(count)", configuration: configuration(.one)) { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.sinkComesAndGoes() }
            benchmark.stopMeasurement()
        }
        Benchmark("routes-jack-beside-\(count)", configuration: configuration(.one)) { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.jackIsPluggedAndPulled() }
            benchmark.stopMeasurement()
        }
        Benchmark("told-sink-beside-\(count)", configuration: configuration(.one)) { benchmark in
            let machine = ToldMachine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.sinkComesAndGoes() }
            benchmark.stopMeasurement()
        }
        Benchmark("told-jack-beside-\(count)", configuration: configuration(.one)) { benchmark in
            let machine = ToldMachine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.jackIsPluggedAndPulled() }
            benchmark.stopMeasurement()
        }
        Benchmark("routes-stream-beside-\(count)", configuration: configuration(.kilo)) { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.streamComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }
}
