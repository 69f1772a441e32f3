/// Selects the ports of one session from its program's preferences and the available ports.
package struct RouteChooser: Sendable {
    package private(set) var preferences = RoutePreferences()
    /// The selected output; `nil` for the default without a preference.
    package private(set) var output: PortSelection?
    package private(set) var input: PortSelection?
    /// Whether there may be a selection. It is read on each change of a volume, because selections
    /// are large.
    package private(set) var isChoosing = false
    /// The routes and profiles of cards that the session needs now.
    package private(set) var requests = CardRequests()
    /// The nodes of cards that have used the route that the session needs.
    private var held: [CardPort: String] = [:]
    /// The nodes among them that another program or the user has switched since, which the session
    /// accepts.
    private var switched: [CardPort: String] = [:]
    /// The profile of the preferred output's card, while the output needs a profile of its own.
    private var profile: ChosenProfile?
    /// The preferred output, if its card had it in a profile that the session did not request.
    private var outputOfCard: String?
    /// The preferred output, if its card had it by itself until its jack was emptied.
    private var pulledOutput: String?
    /// The outputs that were available when the override was set, except those that were unplugged
    /// since.
    private var knownOutputs: [String: PortDescription] = [:]
    /// Whether known outputs may be missing only until the session manager returns with them.
    private var isRestoringOutputs = false
    /// The ports at the last evaluation; empty while there is nothing to select.
    private var ports = PortCatalog()

    private struct ChosenProfile: Sendable {
        let device: String
        let name: String
        /// Whether the card has used the profile. It leaves it only if another program or the user
        /// selects another one.
        var isHeld = false
        var isLeft = false
        /// Whether the card had the output by itself until its jack was emptied.
        var isRegained = false
        /// The uid of the output if it is headphones.
        var headphones: String?
    }

    package init() {}

    package subscript(direction: PortDirection) -> PortSelection? { direction == .output ? output : input }

    /// The choice of both directions; `nil` for the default of both.
    package var choice: RouteChoice? {
        output == nil && input == nil ? nil : RouteChoice(output: output?.choice, input: input?.choice)
    }

    /// Returns the `node.name` that streams of a direction request; `nil` for the default.
    package func target(_ direction: PortDirection) -> String? { self[direction]?.target }

    // MARK: Preferences

    package mutating func prefer(_ port: PortDescription?, _ direction: PortDirection) {
        preferences[direction] = port
        preferences[sourceOf: direction] = nil
        resetChoice(direction)
    }

    package mutating func select(_ source: DataSource?, _ direction: PortDirection) {
        preferences[sourceOf: direction] = source
        resetChoice(direction)
    }

    /// Sets the override of the session.
    /// - Parameter graph: The graph; `nil` while PipeWire is away. The outputs of the last
    ///   evaluation then count, because another one ends the override.
    package mutating func override(_ override: PortOverride, _ graph: AudioGraph?) {
        preferences.override = override
        if let graph { ports.update(graph) }
        knownOutputs = override == .none ? [:] : ports.outputDevices
        isRestoringOutputs = false
        for direction in PortDirection.allCases { resetChoice(direction) }
    }

    /// Whether an override can select the computer's speaker: it is available, its card has the
    /// profile of the headphones instead, or it returns when the session leaves the profile that it
    /// chose.
    package func hasSpeaker(among outputs: [PortDescription]) -> Bool {
        outputs.contains { port in
            guard port.type == .builtInSpeaker else { return false }
            return !port.needsProfileChange || port.isReplacedByHeadphones(among: outputs)
                || port.deviceName.map { requests.profiles[$0] != nil } ?? false
        }
    }

    /// Ends the override, as the session's end, another category and a new device do.
    package mutating func endOverride() {
        preferences.override = .none
        knownOutputs = [:]
    }

    /// Ends the override if an output has appeared, or has returned after it was unplugged.
    private mutating func noteOutputs(_ graph: AudioGraph) {
        let present = ports.outputDevices
        guard present.keys.allSatisfy({ knownOutputs[$0] != nil }) else { return endOverride() }
        isRestoringOutputs =
            graph.sessionManager == nil || isRestoringOutputs && present.count < knownOutputs.count
        guard present.count < knownOutputs.count else { return }
        for (name, port) in knownOutputs where present[name] == nil {
            if graph.isUnplugged(port) || !isRestoringOutputs && graph.isDeviceGone(port) { knownOutputs[name] = nil }
        }
    }

    /// Notes a restart of PipeWire, which resets cards. The session manager returns with the known
    /// outputs one by one, and may have begun before the restart is noted.
    package mutating func noteRestart() {
        forgetCards()
        isRestoringOutputs = true
    }

    /// Discards the state of cards.
    private mutating func forgetCards() {
        held = [:]
        switched = [:]
        (profile, outputOfCard, pulledOutput) = (nil, nil, nil)
        requests = CardRequests()
    }

    private mutating func resetChoice(_ direction: PortDirection) {
        held = held.filter { $0.key.direction != direction }
        switched = switched.filter { $0.key.direction != direction }
        guard direction == .output else { return }
        if profile?.isLeft == true { profile = nil }
        (outputOfCard, pulledOutput) = (nil, nil)
    }

    // MARK: Evaluation

    /// Evaluates the selection of both directions.
    /// - Parameter isActive: Whether the session is active. Only then it needs anything of cards.
    package mutating func evaluate(
        _ graph: AudioGraph, _ configuration: AudioSessionConfiguration, isActive: Bool
    ) {
        if preferences.override != .none {
            ports.update(graph)
            noteOutputs(graph)
        }
        isChoosing = preferences != RoutePreferences() || configuration.allowsRecording
        guard isChoosing else {
            // Nearly all sessions have no preferences.
            (output, input, requests, ports) = (nil, nil, CardRequests(), PortCatalog())
            return forgetCards()
        }
        ports.update(graph)
        if !isActive { forgetCards() }
        select(graph, configuration)
        guard isActive else { return }
        let (areCardsOther, isProfileOther) = (noteCards(graph), noteProfile(graph, configuration))
        if areCardsOther || isProfileOther { select(graph, configuration) }
        requests.routes = [:]
        for case let route? in [output?.route, input?.route] where switched[route.end] == nil {
            requests.routes[route.end] = route.name
        }
        requests.headsets = headsets(graph, configuration)
        (requests.profiles, requests.regained, requests.headphones) = ([:], [], [:])
        if let profile, !profile.isLeft {
            requests.profiles[profile.device] = profile.name
            if profile.isRegained { requests.regained = [profile.device] }
            requests.headphones[profile.device] = profile.headphones
        }
    }

    private mutating func select(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) {
        let request = RouteRequest(
            preferences: preferences.applying(configuration.routeSharingPolicy), configuration: configuration,
            switched: Set(switched.keys), reprofiled: profile?.isLeft == true ? profile?.device : nil)
        output = configuration.allowsPlayback ? graph.select(.output, request, ports) : nil
        input = configuration.allowsRecording ? graph.select(.input, request, ports) : nil
    }

    /// Evaluates which cards use the routes that the session needs.
    /// - Returns: Whether the set of cards that others have switched has changed.
    private mutating func noteCards(_ graph: AudioGraph) -> Bool {
        let old = switched
        let routes = [output?.route, input?.route].compactMap(\.self)
        // A port that is plugged in again may be requested again, and one that the card uses again
        // is the session's as before.
        switched = switched.filter { end, name in
            routes.contains(CardRoute(end: end, name: name)) && graph.activeRoute(of: end) != name
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

    /// The output that may need a profile of its own: the preferred one, or the speaker while it
    /// overrides the headphones.
    private func outputOfProfile(_ configuration: AudioSessionConfiguration) -> PortDescription? {
        guard preferences.override == .speaker else {
            return preferences.applying(configuration.routeSharingPolicy).output
        }
        guard let choice = output?.choice, let port = choice.wanted ?? choice.port,
            port.type == .builtInSpeaker
        else { return nil }
        return port.needsProfileChange || profile != nil ? port : nil
    }

    /// Evaluates which profile the preferred output needs. A chosen profile is needed while the
    /// output is preferred, because in it the card shows the output like any other.
    /// - Returns: Whether the card has left the profile since the last evaluation.
    private mutating func noteProfile(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) -> Bool {
        guard configuration.allowsPlayback, let port = outputOfProfile(configuration),
            let device = graph.device(named: port.deviceName), let name = device.name,
            let route = device.routes.first(where: { $0.direction == .output && $0.name == port.routeName })
        else {
            (profile, outputOfCard, pulledOutput) = (nil, nil, nil)
            return false
        }
        guard route.availability != .no else {
            if profile.map({ $0.isRegained && !$0.isLeft }) ?? (outputOfCard == port.uid) { pulledOutput = port.uid }
            (profile, outputOfCard) = (nil, nil)
            return false
        }
        guard let chosen = profile, chosen.device == name,
            let known = device.profile(named: chosen.name), route.isUsable(in: known)
        else {
            guard let needed = device.profile(with: route) else {
                // A card shows an occupied jack before the profiles that become available by it.
                if route.isUsable(in: device.activeProfile) { (outputOfCard, pulledOutput) = (port.uid, nil) }
                profile = nil
                return false
            }
            // If the card had the output, another program or the user has selected this profile.
            let isLeft = outputOfCard == port.uid
            profile = ChosenProfile(
                device: name, name: needed.name, isHeld: isLeft, isLeft: isLeft, isRegained: pulledOutput == port.uid,
                headphones: port.type == .headphones ? port.uid : nil)
            pulledOutput = nil
            return isLeft
        }
        if device.activeProfile?.name == chosen.name {
            profile?.isHeld = true
        } else if chosen.isHeld, !chosen.isLeft {
            profile?.isLeft = true
            return true
        }
        return false
    }

    /// Returns the Bluetooth card whose microphone the session needs: that of its output, unless
    /// its program chose another microphone.
    private func headsets(_ graph: AudioGraph, _ configuration: AudioSessionConfiguration) -> Set<String> {
        guard configuration.capturesAudio, configuration.allowsBluetoothHFP, preferences.override == .none else {
            return []
        }
        if let input = preferences.input, !input.type.isBluetooth { return [] }
        // While the card is switched it has no nodes, and the default moves for a moment.
        if let name = requests.headsets.first, graph.device(named: name)?.headsetProfile != nil,
            preferences.output.map({ $0.deviceName == name }) ?? !graph.isOutputChosen(besides: name)
        {
            return [name]
        }
        let ports = [input?.choice.port, output?.choice.port ?? graph.defaultPort(.output)].compactMap(\.self)
        let port = ports.first { $0.type.isBluetooth }
        guard let name = port?.deviceName, graph.device(named: name)?.headsetProfile != nil else { return [] }
        return [name]
    }
}

extension PortCatalog {
    /// The outputs by their devices and jacks. Both modes of a headset or a car count as one. A
    /// filter has the uid of the output behind it, which changes with the card's route.
    fileprivate var outputDevices: [String: PortDescription] {
        let outputs = available(.output).filter { !$0.isThroughFilter }.map { port in
            (port.type.hasModes ? port.deviceName ?? port.uid : port.uid, port)
        }
        return Dictionary(outputs) { first, _ in first }
    }
}

extension AudioGraph {
    /// Whether the user or a program has chosen the output of another device as default, while a
    /// headset has the nodes of its hands-free profile.
    fileprivate func isOutputChosen(besides headset: String) -> Bool {
        guard let device = device(named: headset), device.activeProfile?.isHeadset == true,
            let name = configuredSinkName, name == defaultSinkName, let port = defaultPort(.output)
        else { return false }
        let own = nodes.ports.filter { $0.deviceID == device.id }
        let isComplete = PortDirection.allCases.allSatisfy { direction in own.contains { $0.isPort(direction) } }
        return isComplete && port.deviceName != headset && !port.isThroughFilter
    }
}

extension Device {
    /// The profile in which a Bluetooth headset has its microphone.
    var headsetProfile: DeviceProfile? {
        guard properties[.deviceAPI] == "bluez5" || properties[.deviceBus] == "bluetooth" else { return nil }
        let found = profiles.filter { $0.isHeadset && $0.availability != .no }
        // The plain profile lets the session manager select the best codec. CVSD has the quality of
        // a telephone.
        return found.first { $0.name == DeviceProfile.headset } ?? found.first { !$0.name.hasSuffix("cvsd") }
            ?? found.first
    }
}

extension DeviceProfile {
    static let headset = "headset-head-unit"

    var isHeadset: Bool { name.hasPrefix(Self.headset) }
}
