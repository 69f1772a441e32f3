import CoreScenes
import Glibc

/// `core-events KIND BESIDE TIMES` adds and removes an object so many times, beside so many others.
/// `core-events KIND BESIDE TIMES ASLEEP AWAKE` does the same each time after so many microseconds
/// of sleep, and then so many of reading the clock. It prints the median in microseconds.
///
/// `core-events attack TOKENS` measures an event while other programs have so many tokens of each
/// hostile content. It fails above the budget: 50 us in the mean of any part and 250 us for a
/// single event, more for three contents.
///
/// The first prints nothing. A program that counts instructions or memory runs it for few and for
/// many times, and the difference is the cost of one time.
@main struct CoreEvents {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "attack", let tokens = Int(arguments[2]) {
            exit(Attacks(tokens: tokens).run() ? 0 : 1)
        }
        let numbers = arguments.dropFirst(2).compactMap { UInt32($0) }
        guard [2, 4].contains(numbers.count), numbers.count == arguments.count - 2,
            let scene = scene(arguments[1], beside: Int(numbers[0]))
        else {
            // No failure, because the tool that runs the benchmarks tries every program beside
            // them.
            return print("core-events session|sink|jack|stream|decoded-sink|decoded-jack BESIDE TIMES [ASLEEP AWAKE]")
        }
        guard numbers.count == 4 else {
            for _ in 0..<numbers[1] { scene() }
            return
        }
        var times: [UInt64] = []
        for _ in 0..<numbers[1] {
            // The cost of the sleep is the measured value.
            if numbers[2] > 0 { usleep(numbers[2]) }
            let awake = now() + UInt64(numbers[3]) * 1000
            while now() < awake {}
            let start = now()
            scene()
            times.append(now() - start)
        }
        times.sort()
        let tenths = times.isEmpty ? 0 : times[times.count / 2] / 100
        print("\(tenths / 10).\(tenths % 10)")
    }

    private static func scene(_ name: String, beside count: Int) -> (() -> Void)? {
        switch name {
        case "session":
            var board = Board(sessions: count)
            return { board.activateAndEndOther() }
        case "decoded-sink": return DecodedComputer(streams: count).sinkComesAndGoes
        case "decoded-jack": return DecodedComputer(streams: count).jackIsPluggedAndPulled
        default: break
        }
        var computer = Computer(streams: count)
        switch name {
        case "sink": return { computer.sinkComesAndGoes() }
        case "jack": return { computer.jackIsPluggedAndPulled() }
        case "stream": return { computer.streamComesAndGoes() }
        default: return nil
        }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
