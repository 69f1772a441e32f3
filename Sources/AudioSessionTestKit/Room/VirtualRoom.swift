import Glibc
package import PipeWireGraph

/// A simulated room, in which a microphone hears what loudspeakers play.
///
/// Loudspeakers and microphone are nodes of PipeWire, without a card, and the session manager takes
/// them for virtual devices. The sound of all loudspeakers goes to the microphone by the paths of
/// ``RoomNode/Options``, late, weaker and with reflections; a voice and noise are added. It is the
/// same in each run.
package actor VirtualRoom {
    /// `node.name` of the microphone.
    package static let microphone = "virtual_room.microphone"

    /// `node.name` of a loudspeaker.
    package static func loudspeaker(_ number: Int) -> String { "virtual_room.loudspeaker\(number)" }

    private let pipeWire: PrivatePipeWire
    private let executor: LoopExecutor
    private var connection: Connection?
    private var loudspeakers: [Int: CreatedNode] = [:]
    private var microphone: CreatedNode?
    private var room: RoomNode?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates the room, and returns when sound passes through it.
    /// - Throws: ``TestKitError`` with code `cannotStart`, `daemonUnreachable` or `timedOut`.
    package init(
        _ options: RoomNode.Options, loudspeakers count: Int = 1, in pipeWire: PrivatePipeWire
    ) async throws(TestKitError) {
        self.pipeWire = pipeWire
        do {
            executor = try LoopExecutor()
        } catch {
            throw Self.error(.cannotStart, "\(error)")
        }
        do {
            let connection = try Connection(
                Connection.Options(remote: pipeWire.remote, applicationName: "audiosession room"), on: executor)
            self.connection = connection
            room = try RoomNode(properties: [("node.name", "virtual_room")], options, over: connection) { _ in }
            microphone = try CreatedNode(
                properties: Self.properties(Self.microphone, "Audio/Source/Virtual"), channels: 1, over: connection
            ) { _ in }
        } catch {
            throw Self.error(.daemonUnreachable, "\(error)")
        }
        try await link("virtual_room:out", "\(Self.microphone):input_MONO")
        for number in 1...count { try await addLoudspeaker(number) }
    }

    isolated deinit { close() }

    /// Adds a loudspeaker, which the microphone hears when this returns.
    package func addLoudspeaker(_ number: Int) async throws(TestKitError) {
        guard let connection else { throw Self.error(.closed, "the room was closed") }
        let name = Self.loudspeaker(number)
        do {
            loudspeakers[number] = try CreatedNode(
                properties: Self.properties(name, "Audio/Sink"), channels: 1, over: connection
            ) { _ in }
        } catch {
            throw Self.error(.daemonUnreachable, "\(error)")
        }
        try await link("\(name):monitor_MONO", "virtual_room:in")
    }

    /// Removes the loudspeaker with this number.
    package func removeLoudspeaker(_ number: Int) { loudspeakers[number] = nil }

    /// The number of frames of the voice that were spoken.
    package var spokenFrames: Int { room?.spokenFrames ?? 0 }

    /// Removes all nodes of the room.
    package func close() {
        room = nil
        microphone = nil
        loudspeakers = [:]
        connection = nil
    }

    /// The loudspeakers drive the graph. A microphone that drove it would deliver a cycle later,
    /// which PipeWire does not report as latency.
    ///
    /// `priority.session` is as high as that of a sound card's nodes. Without it WirePlumber 0.5.8
    /// makes a loudspeaker's monitor the default source.
    private static func properties(_ name: String, _ mediaClass: String) -> [(String, String)] {
        let isSink = mediaClass == "Audio/Sink"
        return [
            ("priority.driver", isSink ? "5000" : "1"), ("priority.session", isSink ? "1000" : "2000"),
            ("factory.name", "support.null-audio-sink"), ("node.name", name), ("node.description", name),
            ("media.class", mediaClass), ("audio.position", "MONO"), ("audio.channels", "1"),
            ("monitor.channel-volumes", "false"),
        ]
    }

    /// Links two ports as soon as both exist. No event says so to a client that watches no objects.
    private func link(_ output: String, _ input: String) async throws(TestKitError) {
        let end = ContinuousClock.now + pipeWire.options.patience
        while true {
            let result = try await pipeWire.run("pw-link", [output, input])
            if result.status == 0 { return }
            guard ContinuousClock.now < end, !Task.isCancelled else {
                throw Self.error(.timedOut, "\(output) could not be linked to \(input): \(result.output)")
            }
        }
    }

    private static func error(_ code: TestKitError.Code, _ why: String) -> TestKitError {
        TestKitError(code, "There is no virtual room", why: why, remedy: "See that PipeWire runs, and its logs.")
    }
}

extension RoomNode.Options {
    /// A room like an office: a direct path and 40 reflections within 120 ms, which weaken what is
    /// played, and noise of -66 dB.
    /// - Parameters:
    ///   - delay: of the direct path, in milliseconds.
    ///   - loss: of all paths together, in decibels, for noise.
    ///   - rate: of the graph.
    package static func office(delay: Double = 30, loss: Float = 9, rate: Int = 48_000) -> Self {
        var options = Self()
        var random = Self.Numbers(state: 99)
        let direct = Int(delay * Double(rate) / 1000)
        options.paths = [.init(delay: direct, gain: 1)]
        for index in 0..<40 {
            let milliseconds = 2 + 2.95 * (Double(index) + 0.5 * (random.next() + 1))
            let gain = 0.45 * random.next() * pow(10, -3 * milliseconds / 250)
            let delay = direct + Int(milliseconds * Double(rate) / 1000)
            options.paths.append(.init(delay: delay, gain: Float(gain)))
        }
        let power = options.paths.reduce(0) { $0 + $1.gain * $1.gain }
        let scale = pow(10, -loss / 20) / power.squareRoot()
        for index in options.paths.indices { options.paths[index].gain *= scale }
        options.noise = 0.00087
        return options
    }

    /// The same numbers in each run, from -1 to 1.
    package struct Numbers {
        var state: UInt32

        package init(state: UInt32) { self.state = state }

        package mutating func next() -> Double {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Double(Int32(bitPattern: state)) / 2_147_483_648
        }
    }
}
