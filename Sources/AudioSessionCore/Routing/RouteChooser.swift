/// Decides where one session's sound goes: remembers what its program wanted, and looks at what there is.
package struct RouteChooser: Sendable {
    package private(set) var preferences = RoutePreferences()
    /// `nil`: the machine's default, and nothing to be said about it.
    package private(set) var output: PortSelection?
    package private(set) var input: PortSelection?
    /// Whether there may be one of them. Asked for at each turn of a volume; they are large.
    package private(set) var isChoosing = false
    /// What the session wants of cards now.
    package private(set) var wishes = CardWishes()
    /// Ends of cards that have been on the route that the session wants.
    private var held: [CardEnd: String] = [:]
    /// Of those, the ones that somebody else has switched since. That is not fought over.
    private var switched: [CardEnd: String] = [:]
    /// The profile of the preferred output's card, while that output needs one of its own.
    private var profile: ChosenProfile?
    /// The outputs that there were when the speaker was insisted on.
    private var knownOutputs: Set<String> = []
    /// As last looked at; empty while there is nothing to choose.
    private var ports = PortSurvey()

    private struct ChosenProfile: Sendable {
        let device: String
        let name: String
        /// Whether the card has been on it, and so leaves it only if another program or a person chose another one.
        var isHeld = false
        var isLeft = false
    }

    package init() {}

    package subscript(direction: PortDirection) -> PortSelection? { direction == .output ? output : input }

    /// The choice of both directions; `nil`: the default of both.
    package var choice: RouteChoice? {
        output == nil && input == nil ? nil : RouteChoice(output: output?.choice, input: input?.choice)
    }

    /// Where streams of a direction are to go, by `node.name`; `nil`: to the default.
    package func target(_ direction: PortDirection) -> String? { self[direction]?.target }

    // MARK: Wishes

    package mutating func prefer(_ port: PortDescription?, _ direction: PortDirection) {
        preferences[direction] = port
        preferences[sourceOf: direction] = nil
        wishAnew(direction)
    }

    package mutating func select(_ source: DataSource?, _ direction: PortDirection) {
        preferences[sourceOf: direction] = source
        wishAnew(direction)
    }

    package mutating func override(_ override: PortOverride, _ graph: AudioGraph) {
        preferences.override = override
        ports.update(graph)
        knownOutputs = override == .none ? [] : ports.outputDevices
        for direction in PortDirection.allCases { wishAnew(direction) }
    }

    /// Whether an override can lead to the computer's speaker: it is there, or returns when the session leaves the profile that it
    /// chose.
    package func hasSpeaker(among outputs: [PortDescription]) -> Bool {
        outputs.contains { port in
            port.type == .builtInSpeaker
                && (!port.needsProfileChange || port.deviceName.map { wishes.profiles[$0] != nil } ?? false)
        }
    }

    /// As the session's end, another category and a new device do.
    package mutating func endOverride() {
        preferences.override = .none
        knownOutputs = []
    }

    /// PipeWire was restarted: no card is as it was left.
    package mutating func forgetCards() {
        held = [:]
        switched = [:]
        profile = nil
        wishes = CardWishes()
    }

    private mutating func wishAnew(_ direction: PortDirection) {
        held = held.filter { $0.key.direction != direction }
        switched = switched.filter { $0.key.direction != direction }
        if direction == .output, profile?.isLeft == true { profile = nil }
    }

    // MARK: Looking

    /// - Parameter isActive: whether it is the session's turn: only then it wants anything of cards.
    package mutating func look(
        _ graph: AudioGraph, _ configuration: AudioSessionConfiguration, isActive: Bool
    ) {
        if preferences.override != .none {
            ports.update(graph)
            if !ports.outputDevices.isSubset(of: knownOutputs) { endOverride() }
        }
        isChoosing = preferences != RoutePreferences() || configuration.allowsRecording
        guard isChoosing else {
            // Nearly every session, and nothing to find out.
            (output, input, wishes, ports) = (nil, nil, CardWishes(), PortSurvey())
            return forgetCards()
        }
        ports.update(graph)
        if !isActive { forgetCards() }
        select(graph, configuration)
        guard isActive else { return }
        let (areCardsOther, isProfileOther) = (noteCards(graph), noteProfile(graph, configuration))
        if areCardsOther || isProfileOther { select(graph, configuration) }
        wishes.routes = [:]
        for case let route? in [output?.route, input?.route] where switched[route.end] == nil {
            wishes.routes[route.end] = route.name
        }
        wishes.headsets = headsets(graph, configuration)
        wishes.profiles = [:]
        if let profile, !profile.isLeft { wishes.profiles[profile.device] = profile.name }
    }

    private mutating func select(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) {
        let request = RouteRequest(
            preferences: preferences, configuration: configuration, switched: Set(switched.keys),
            reprofiled: profile?.isLeft == true ? profile?.device : nil)
        output = configuration.allowsPlayback ? graph.select(.output, request, ports) : nil
        input = configuration.allowsRecording ? graph.select(.input, request, ports) : nil
    }

    /// - Returns: whether a card is known to be switched that was not, or the other way round.
    private mutating func noteCards(_ graph: AudioGraph) -> Bool {
        let old = switched
        let routes = [output?.route, input?.route].compactMap(\.self)
        // What is pulled out and put in again may be wished for anew.
        switched = switched.filter { end, name in
            routes.contains(CardRoute(end: end, name: name))
                && graph.route(named: name, of: end)?.availability != .no
        }
        held = held.filter { end, name in routes.contains(CardRoute(end: end, name: name)) }
        for route in routes where switched[route.end] == nil {
            if graph.activeRoute(of: route.end) == route.name {
                held[route.end] = route.name
            } else if held.removeValue(forKey: route.end) != nil {
                switched[route.end] = route.name
            }
        }
        return switched != old
    }

    /// Evaluates which profile the preferred output needs. One that was chosen is needed for as long as the output is preferred,
    /// because in it the card shows the output as any other.
    /// - Returns: whether the card is known to have left it, and was not before.
    private mutating func noteProfile(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) -> Bool {
        guard configuration.allowsPlayback, preferences.override == .none, let port = preferences.output,
            let device = graph.device(named: port.deviceName), let name = device.name,
            let route = device.routes.first(where: { $0.direction == .output && $0.name == port.routeName }),
            route.availability != .no
        else {
            profile = nil
            return false
        }
        guard let chosen = profile, chosen.device == name,
            let known = device.profile(named: chosen.name), route.isUsable(in: known)
        else {
            profile = device.profile(with: route).map { ChosenProfile(device: name, name: $0.name) }
            return false
        }
        if device.activeProfile?.name == chosen.name {
            profile?.isHeld = true
        } else if chosen.isHeld, !chosen.isLeft {
            profile?.isLeft = true
            return true
        }
        return false
    }

    /// The Bluetooth card whose microphone the session needs: the one that it plays to, unless its program chose another
    /// microphone.
    private func headsets(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) -> Set<String> {
        guard configuration.capturesAudio, configuration.allowsBluetoothHFP, preferences.override == .none else {
            return []
        }
        if let input = preferences.input, !input.type.isBluetooth { return [] }
        // While it is switched the card has no nodes, and everything else is the default for a moment.
        if let name = wishes.headsets.first, graph.device(named: name)?.headsetProfile != nil,
            preferences.output.map({ $0.deviceName == name }) ?? true
        {
            return [name]
        }
        let ports = [input?.choice.port, output?.choice.port ?? graph.defaultOutputPort()].compactMap(\.self)
        let port = ports.first { $0.type.isBluetooth }
        guard let name = port?.deviceName, graph.device(named: name)?.headsetProfile != nil else { return [] }
        return [name]
    }
}

extension PortSurvey {
    /// What outputs are on, and which of their jacks; both modes of a headset are one.
    fileprivate var outputDevices: Set<String> {
        Set(available(.output).map { $0.type.isBluetooth ? $0.deviceName ?? $0.uid : $0.uid })
    }
}

extension Device {
    /// The profile in which a Bluetooth headset has its microphone.
    var headsetProfile: DeviceProfile? {
        guard properties[.deviceAPI] == "bluez5" || properties[.deviceBus] == "bluetooth" else { return nil }
        let found = profiles.filter { $0.isHeadset && $0.availability != .no }
        // The plain one lets the session manager take the best codec; CVSD sounds like a telephone.
        return found.first { $0.name == DeviceProfile.headset } ?? found.first { !$0.name.hasSuffix("cvsd") }
            ?? found.first
    }
}

extension DeviceProfile {
    static let headset = "headset-head-unit"

    var isHeadset: Bool { name.hasPrefix(Self.headset) }
}
