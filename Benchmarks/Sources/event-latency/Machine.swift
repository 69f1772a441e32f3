import Glibc

/// What else the figures depend on.
struct Machine: Encodable, CustomStringConvertible {
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let pipeWire: String
    let loadBefore: Double
    private(set) var loadAfter: Double

    init() {
        pipeWire = getenv("BENCHMARK_PIPEWIRE").map { String(cString: $0) } ?? "unknown"
        loadBefore = Self.load()
        loadAfter = loadBefore
    }

    mutating func end() { loadAfter = Self.load() }

    var description: String {
        "microseconds; PipeWire \(pipeWire), \(processors) processors, load average \(loadBefore) before and \(loadAfter) after"
    }

    /// Of the last minute. Above the number of processors somebody waits.
    private static func load() -> Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? (loads[0] * 100).rounded() / 100 : 0
    }
}
