extension AudioGraph {
    /// Selects the port for streams of a direction. The first rule that applies decides.
    ///
    /// - Parameter ports: The ports of this graph.
    func select(_ direction: PortDirection, _ request: RouteRequest, _ ports: PortCatalog) -> PortSelection {
        let usages = ports.availableUsages(direction)
        let base =
            overriding(direction, usages, request) ?? preferred(direction, usages, request)
            ?? besides(direction, usages, request) ?? speakerByDefault(direction, usages, request)
            ?? withoutBluetooth(direction, usages, request)
            ?? PortSelection(PortChoice(port: defaultPort(direction), reason: .systemDefault))
        return source(of: base, direction, usages, request) ?? base
    }

    // MARK: Rules

    private func overriding(
        _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        guard request.preferences.override == .speaker else { return nil }
        if direction == .input, request.preferences.input != nil { return nil }
        let type: PortType = direction == .output ? .builtInSpeaker : .builtInMic
        let found = usages.filter { $0.port.type == type }
        if let usage = found.first(where: { !$0.port.needsProfileChange }) {
            return selection(of: usage, .override, request)
        }
        let ports = usages.map(\.port)
        let usage = found.first { $0.port.isReplacedByHeadphones(among: ports) }
        return usage.map { selectionInOtherProfile(of: $0, .override, request) }
    }

    private func preferred(
        _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        guard let port = request.preferences[direction] else { return nil }
        if let usage = usages.first(where: { $0.port.uid == port.uid }) ?? otherMode(of: port, usages) {
            return selectionInOtherProfile(of: usage, .preferred, request)
        }
        // If a stream requests a node, the session manager moves it there without a gap as soon as
        // the node returns.
        let isNodeThere = port.nodeName.map { nodes.first(named: $0) { _ in true } ?? false } ?? true
        return PortSelection(
            PortChoice(port: defaultPort(direction), reason: .preferredMissing, wanted: port),
            target: isNodeThere ? nil : port.nodeName)
    }

    /// Returns the port of a headset's other mode, because a preferred headset is used in either
    /// mode.
    private func otherMode(of port: PortDescription, _ usages: [PortUsage]) -> PortUsage? {
        guard port.type.hasModes, let device = port.deviceName else { return nil }
        return usages.first { $0.port.type.hasModes && $0.port.deviceName == device }
    }

    /// Selects the port of a direction without a preference beside a hands-free headset.
    private func besides(
        _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        let other: PortDirection = direction == .output ? .input : .output
        guard request.allows(other), let port = request.preferences[other], port.type == .bluetoothHFP else {
            return nil
        }
        let usage = usages.first { $0.port.type == .bluetoothHFP && $0.port.deviceName == port.deviceName }
        return usage.map { selection(of: $0, .headset, request) }
    }

    private func speakerByDefault(
        _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        guard direction == .output, request.configuration.effectiveOptions.contains(.defaultToSpeaker),
            let speaker = usages.first(where: { $0.port.type == .builtInSpeaker && !$0.port.needsProfileChange }),
            let port = defaultPort(.output),
            port.type == .builtInReceiver || (port.uid == speaker.port.uid && isReceiverExpected(usages))
        else { return nil }
        return selection(of: speaker, .defaultToSpeaker, request)
    }

    /// Whether the default would be a phone's receiver. Once the card is switched, the speaker is
    /// the default.
    private func isReceiverExpected(_ usages: [PortUsage]) -> Bool {
        guard let receiver = usages.first(where: { $0.port.type == .builtInReceiver }), let end = receiver.end,
            let device = device(named: end.device)
        else { return false }
        return bestRoute(of: device, number: end.number, .output)?.name == receiver.evidence.route?.name
    }

    /// Selects a port other than Bluetooth. The session requests its node even if that is the
    /// default, because sound would otherwise move to a headset as soon as it connects.
    private func withoutBluetooth(
        _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        guard !request.allowsBluetooth(direction), let port = defaultPort(direction) else { return nil }
        guard port.type.isBluetooth else {
            return PortSelection(PortChoice(port: port, reason: .systemDefault), target: port.nodeName)
        }
        let others = usages.filter { !$0.port.type.isBluetooth && !$0.evidence.isOtherRoute }
        let best = others.max { $0.rank < $1.rank }
        return best.map {
            PortSelection(PortChoice(port: $0.port, reason: .bluetoothNotAllowed), target: $0.node?.name)
        }
    }

    private func source(
        of base: PortSelection, _ direction: PortDirection, _ usages: [PortUsage], _ request: RouteRequest
    ) -> PortSelection? {
        guard let source = request.preferences[sourceOf: direction], let port = base.choice.port,
            let usage = siblings(of: port, usages).first(where: { $0.port.uid == source.port.uid })
        else { return nil }
        var answer = selection(of: usage, .dataSource, request)
        answer.target = base.target
        return answer
    }

    /// Selects a port that may need another profile of its card. The default port is used if the
    /// card has left that profile.
    private func selectionInOtherProfile(
        of usage: PortUsage, _ reason: PortChoice.Reason, _ request: RouteRequest
    ) -> PortSelection {
        guard usage.port.needsProfileChange, usage.port.deviceName == request.reprofiled else {
            return selection(of: usage, reason, request)
        }
        return PortSelection(
            PortChoice(port: defaultPort(usage.port.direction), reason: .cardSwitched, wanted: usage.port))
    }

    private func selection(
        of usage: PortUsage, _ reason: PortChoice.Reason, _ request: RouteRequest
    ) -> PortSelection {
        let choice = PortChoice(port: usage.port, reason: reason)
        guard let end = usage.end, let route = usage.evidence.route, hasSeveralRoutes(usage) else {
            return PortSelection(choice, target: usage.node?.name)
        }
        guard !request.switched.contains(end) else {
            let port = usage.node.flatMap { self.port(for: $0, direction: usage.port.direction) }
            return PortSelection(
                PortChoice(port: port, reason: .cardSwitched, wanted: usage.port), target: usage.node?.name,
                route: CardRoute(end: end, name: route.name))
        }
        return PortSelection(choice, target: usage.node?.name, route: CardRoute(end: end, name: route.name))
    }

    private func hasSeveralRoutes(_ usage: PortUsage) -> Bool {
        guard let node = usage.evidence.node, let device = usage.evidence.device else { return false }
        return routes(thatCanServe: node, of: device, direction: usage.port.direction).count > 1
    }

    // MARK: Data sources

    /// Returns the data sources of a port, and the selected one. Both are empty if the port has
    /// only one.
    package func dataSources(of port: PortDescription) -> (sources: [DataSource], selected: DataSource?) {
        let usages = siblings(of: port, PortCatalog(of: self).availableUsages(port.direction))
        let sources = usages.map { DataSource(of: $0.port) }
        return (sources, zip(usages, sources).first { !$0.0.evidence.isOtherRoute }?.1)
    }

    private func siblings(of port: PortDescription, _ usages: [PortUsage]) -> [PortUsage] {
        let found = usages.filter { $0.port.sharesNode(with: port) }
        return found.count > 1 ? found : []
    }
}

extension PortDescription {
    /// Returns the data sources among which this port can switch, of the ports that are available.
    /// The list is empty if there is only one.
    package func dataSources(among ports: [PortDescription]) -> [DataSource] {
        let found = ports.filter { $0.sharesNode(with: self) }
        return found.count > 1 ? found.map(DataSource.init(of:)) : []
    }

    /// Whether the headphones of the same card have a profile of their own, in place of that of
    /// this port.
    func isReplacedByHeadphones(among ports: [PortDescription]) -> Bool {
        needsProfileChange
            && ports.contains {
                $0.type == .headphones && !$0.needsProfileChange && $0.deviceName == deviceName
            }
    }

    fileprivate func sharesNode(with other: PortDescription) -> Bool {
        guard let deviceName, let nodeName, routeName != nil else { return false }
        return deviceName == other.deviceName && nodeName == other.nodeName && type == other.type
    }
}

extension PortUsage {
    /// The card's node that can switch between routes; `nil` if it has only one.
    var end: CardPort? {
        guard let device = evidence.device?.name, let number = evidence.node?.profileDevice else { return nil }
        return CardPort(device: device, number: number, direction: port.direction)
    }

    fileprivate var rank: Int { node?.sessionPriority ?? 0 }
}

extension AudioGraph {
    /// Returns the name of the active route of a card's node.
    func activeRoute(of end: CardPort) -> String? {
        device(named: end.device)?.activeRoutes.first {
            $0.direction == end.direction && $0.device == end.number
        }?.name
    }

    func route(named name: String, of end: CardPort) -> DeviceRoute? {
        device(named: end.device)?.routes.first { $0.direction == end.direction && $0.name == name }
    }
}

extension DataSource {
    fileprivate init(of port: PortDescription) {
        let id = port.routeName ?? port.uid
        let words = PortNameMatcher(id + " " + port.name)
        self.init(
            id: id, name: port.name, orientation: Orientation.allCases.first { words.contains($0) }, port: port)
    }
}

extension PortNameMatcher {
    fileprivate func contains(_ orientation: DataSource.Orientation) -> Bool {
        contains(" \(orientation.rawValue) ") || (orientation == .back && contains(" rear "))
    }
}
