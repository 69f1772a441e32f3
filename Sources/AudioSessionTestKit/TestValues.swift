public import AudioSessionCore

// Programs receive these values from the library and cannot make them. Their tests need some.

extension PortDescription {
    /// Makes a port for tests. Each parameter sets the property of its name. Without a `uid`, the
    /// name is used.
    public static func testValue(
        _ type: PortType, name: String, uid: String? = nil, direction: PortDirection = .output,
        isUncertain: Bool = false, hint: PortType? = nil, nodeName: String? = nil, deviceName: String? = nil,
        routeName: String? = nil, needsProfileChange: Bool = false
    ) -> Self {
        Self(
            type: type, name: name, uid: uid ?? name, direction: direction, isUncertain: isUncertain, hint: hint,
            nodeName: nodeName, deviceName: deviceName, routeName: routeName, needsProfileChange: needsProfileChange)
    }
}

extension RouteDescription {
    /// Makes a route for tests.
    public static func testValue(inputs: [PortDescription] = [], outputs: [PortDescription] = []) -> Self {
        Self(inputs: inputs, outputs: outputs)
    }
}

extension RouteChange {
    /// Makes a route change for tests.
    public static func testValue(
        reason: RouteChangeReason, previous: RouteDescription, current: RouteDescription,
        at time: MonotonicTime = MonotonicTime(nanoseconds: 0)
    ) -> Self {
        Self(reason: reason, previous: previous, current: current, time: time)
    }
}

extension RouteChoice {
    /// Makes a choice of ports for tests.
    public static func testValue(output: PortChoice? = nil, input: PortChoice? = nil) -> Self {
        Self(output: output, input: input)
    }
}

extension PortChoice {
    /// Makes a choice of a port for tests.
    public static func testValue(port: PortDescription?, reason: Reason, wanted: PortDescription? = nil) -> Self {
        Self(port: port, reason: reason, wanted: wanted)
    }
}

extension DataSource {
    /// Makes a data source for tests.
    public static func testValue(
        id: String, name: String, orientation: Orientation? = nil, port: PortDescription
    ) -> Self {
        Self(id: id, name: name, orientation: orientation, port: port)
    }
}

extension OutputVolume {
    /// Makes a volume for tests.
    public static func testValue(level: Float, isMuted: Bool = false) -> Self { Self(level: level, isMuted: isMuted) }
}

extension HardwareFormat {
    /// Makes a hardware format for tests. Its properties can be set.
    public static func testValue(sampleRate: Int, ioBufferDuration: Duration = .milliseconds(20)) -> Self {
        var format = Self()
        (format.sampleRate, format.ioBufferDuration) = (sampleRate, ioBufferDuration)
        return format
    }
}

extension AudioSessionPeer {
    /// Makes a peer for tests.
    public static func testValue(
        session: AudioSessionID, applicationName: String? = nil, processID: Int? = nil
    ) -> Self {
        Self(session: session, applicationName: applicationName, processID: processID)
    }
}
