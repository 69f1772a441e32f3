import Glibc

/// What else the figures depend on.
public struct Machine: Encodable, CustomStringConvertible {
    public let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    public let pipeWire: String
    public let loadBefore: Double
    public private(set) var loadAfter: Double

    public init() {
        pipeWire = getenv("BENCHMARK_PIPEWIRE").map { String(cString: $0) } ?? "unknown"
        loadBefore = Self.load()
        loadAfter = loadBefore
    }

    public mutating func end() { loadAfter = Self.load() }

    public var description: String {
        "PipeWire \(pipeWire), \(processors) processors, load average \(loadBefore) before and \(loadAfter) after"
    }

    /// Of the last minute. Above the number of processors somebody waits.
    private static func load() -> Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? (loads[0] * 100).rounded() / 100 : 0
    }
}
