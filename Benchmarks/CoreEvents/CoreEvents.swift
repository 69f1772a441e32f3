import CoreScenes
import Glibc

/// `core-events KIND BESIDE TIMES`: each of these things comes and goes so often, beside so many others.
/// `core-events KIND BESIDE TIMES ASLEEP AWAKE`: the same, each time after so many microseconds of sleep, and then so many of
/// looking at the clock. Prints the median, in microseconds.
///
/// `core-events attack TOKENS`: what an event costs while other programs have so many tokens of each hostile content. Fails
/// if it is more than the budget: 50 us in the mean of any part and 250 us for a single one, more for three contents.
///
/// The first prints nothing: it is run twice, for few times and for many, by a program that counts instructions or memory,
/// and the difference is what one time takes.
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
            // No failure: the tool that runs the benchmarks tries every program beside them.
            return print("core-events session|sink|jack|stream|told-sink|told-jack BESIDE TIMES [ASLEEP AWAKE]")
        }
        guard numbers.count == 4 else {
            for _ in 0..<numbers[1] { scene() }
            return
        }
        var times: [UInt64] = []
        for _ in 0..<numbers[1] {
            // What sleep costs is what is measured.
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
            return { board.someoneComesAndGoes() }
        case "told-sink": return ToldMachine(streams: count).sinkComesAndGoes
        case "told-jack": return ToldMachine(streams: count).jackIsPluggedAndPulled
        default: break
        }
        var machine = Machine(streams: count)
        switch name {
        case "sink": return { machine.sinkComesAndGoes() }
        case "jack": return { machine.jackIsPluggedAndPulled() }
        case "stream": return { machine.streamComesAndGoes() }
        default: return nil
        }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
