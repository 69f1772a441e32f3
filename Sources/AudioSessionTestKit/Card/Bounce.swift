import AudioSessionCore
import PipeWireGraph

/// A jack that is being bounced.
final class Bounce {
    let route: Int
    var rest: Int
    let interval: Duration
    let answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>
    var timer: LoopTimer?

    init(
        route: Int, rest: Int, interval: Duration,
        answer: CheckedContinuation<Result<MonotonicTime, TestKitError>, Never>
    ) {
        self.route = route
        self.rest = rest
        self.interval = interval
        self.answer = answer
    }
}
