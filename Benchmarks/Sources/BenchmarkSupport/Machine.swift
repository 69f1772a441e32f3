import FoundationEssentials
import Glibc

/// The computer and software on which the figures depend.
public struct Machine: Encodable, CustomStringConvertible {
    public let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    public let pipeWire: String
    public let wirePlumber: String
    public let kernel: String
    /// The beginning of the measurements, in UTC.
    public let date: String
    public let loadBefore: Double
    public private(set) var loadAfter: Double

    public init() {
        pipeWire = Self.environment("BENCHMARK_PIPEWIRE")
        wirePlumber = Self.environment("BENCHMARK_WIREPLUMBER")
        kernel = Self.kernelRelease()
        date = Date.now.formatted(.iso8601)
        loadBefore = Self.load()
        loadAfter = loadBefore
    }

    public mutating func end() { loadAfter = Self.load() }

    public var description: String {
        "\(date), PipeWire \(pipeWire), WirePlumber \(wirePlumber), Linux \(kernel), \(processors) processors, "
            + "load average \(loadBefore) before and \(loadAfter) after"
    }

    private static func environment(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? "unknown"
    }

    private static func kernelRelease() -> String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        // The suffix of a distribution or vendor is removed.
        return text?.split(separator: ".").prefix(2).joined(separator: ".") ?? "unknown"
    }

    /// The load average of the last minute. Above the number of processors, threads wait for them.
    private static func load() -> Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? (loads[0] * 100).rounded() / 100 : 0
    }
}
