import AudioSessionTestKit
import AudioSessions
import BenchmarkSupport

/// The computer on which all events happen.
final class Stage {
    let pipeWire: PrivatePipeWire
    let card: VirtualCard
    let cause: Program
    private(set) var helpers: [Program] = []
    private(set) var missing: [String: String] = [:]
    /// The prefix of the commands of the library's peers, which is usually empty.
    var tracer: [String] = []
    private var bus: String?
    private var defaultNumber = 0
    private var isPlugged = false

    init() async throws {
        pipeWire = try await PrivatePipeWire()
        card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        cause = try Program(Program.besideThis("peer-cause"), [], environment: pipeWire.environment)
        _ = cause.nextLine(by: now() + 5_000_000_000)
        startPulse()
        startBus()
        try makeSinks()
    }

    func close() async {
        cause.stop()
        for helper in helpers.reversed() { helper.stop() }
        await pipeWire.stop()
    }

    /// Starts a peer; `nil` if it is unavailable, with the reason in ``missing``.
    func start(_ program: String, _ arguments: [String], as name: String) -> Program? {
        guard missing[name] == nil else { return nil }
        var environment = pipeWire.environment
        environment["LD_PRELOAD"] = Program.besideThis("libwake-clock.so")
        if let bus { environment["DBUS_SESSION_BUS_ADDRESS"] = bus }
        guard let peer = try? start(program, arguments, environment) else {
            missing[name] = "it cannot be started"
            return nil
        }
        let end = now() + 10_000_000_000
        while let line = peer.nextLine(by: end) {
            if line == "ready" { return peer }
            if line.hasPrefix("unavailable") { missing[name] = String(line.dropFirst("unavailable ".count)) }
        }
        missing[name] = missing[name] ?? "it did not get ready"
        return nil
    }

    private func start(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> Program {
        let path = Program.besideThis(program)
        guard program == "peer-audiosessions", let name = self.tracer.first else {
            return try Program(path, arguments, environment: environment)
        }
        guard let tracer = name.contains("/") ? name : Program.find(name, in: environment) else {
            throw Program.Failure("there is no \(name)")
        }
        return try Program(tracer, self.tracer.dropFirst() + [path] + arguments, environment: environment)
    }

    /// The daemon's socket exists before the program is ready, and until then it refuses clients.
    private func startPulse() {
        guard let helper = helper("pipewire-pulse", []) else { return }
        helpers.append(helper)
        let end = now() + 10_000_000_000
        repeat {
            missing["libpulse"] = nil
            if let peer = start("peer-pulse", ["nodes"], as: "libpulse") { return peer.stop() }
            pause(milliseconds: 50)
        } while now() < end && missing["libpulse"] == "no pipewire-pulse"
    }

    private func startBus() {
        guard let helper = helper("dbus-daemon", ["--session", "--nofork", "--print-address"]) else { return }
        helpers.append(helper)
        bus = helper.nextLine(by: now() + 5_000_000_000)
    }

    private func helper(_ name: String, _ arguments: [String]) -> Program? {
        guard let path = Program.find(name, in: pipeWire.environment) else { return nil }
        return try? Program(path, arguments, environment: pipeWire.environment)
    }

    /// The sinks that exist all the time.
    private func makeSinks() throws {
        guard let witness = start("peer-pipewire", ["nodes"], as: "witness") else {
            throw Program.Failure("peer-pipewire: \(missing["witness"] ?? "")")
        }
        for name in Self.sinks {
            cause.send("appear \(name)")
            guard waitFor("full appears \(name)", at: witness) else {
                throw Program.Failure("the sink \(name) was not seen")
            }
        }
        witness.stop()
    }

    private func waitFor(_ end: String, at witness: Program) -> Bool {
        let deadline = now() + 5_000_000_000
        while let line = witness.nextLine(by: deadline) {
            if line.hasSuffix(end) { return true }
        }
        return false
    }

    static let sinks = [volumeSink, defaultSink(0), defaultSink(1)]
    /// The same name as in `peer.h`.
    static let volumeSink = "bench-volume"
    static func defaultSink(_ number: Int) -> String { "bench-default-\(number)" }

    /// Chooses another default than before.
    func chooseDefault() -> String {
        defaultNumber = 1 - defaultNumber
        cause.send("default \(Self.defaultSink(defaultNumber))")
        return Self.defaultSink(defaultNumber)
    }

    /// Waits until the sink whose volume is set is in use.
    func chooseVolumeSink() { cause.send("default \(Self.volumeSink)") }

    /// Toggles the jack, and returns whether it is plugged now, and since when.
    func turnJack() async throws -> (isPlugged: Bool, time: UInt64) {
        isPlugged.toggle()
        let time = try await isPlugged ? card.plug("headphones") : card.unplug("headphones")
        return (isPlugged, time.nanoseconds)
    }
}
