/// Switches cards for this process's sessions, and back when no session needs it any more.
///
/// A card is switched for all programs. So a card that another program or the user has switched
/// meanwhile is left unchanged.
package struct CardSwitcher: Sendable {
    /// The needs of each session. The last one has precedence.
    private var requestsBySession: [(session: AudioSessionID, requests: CardRequests)] = []
    /// The nodes whose route this process must restore: it switched them, or another program did,
    /// which may end first.
    private var routes: [CardPort: String] = [:]
    /// The headsets that this process switched to their hands-free profile.
    private var headsets: [String: ProfileSwitch] = [:]
    /// The cards on a profile that a session chose.
    private var cards: [String: ProfileSwitch] = [:]
    /// The nodes that were switched back and are checked once more.
    private var checks: [CardPort: Check] = [:]

    /// A check after switching back. A session manager writes the volume of each route that becomes
    /// active, which selects that route again.
    private struct Check {
        let route: String
        let due: MonotonicTime
    }

    private struct ProfileSwitch {
        /// The profile before the first switch.
        let before: String
        var chosen: String

        /// Whether the card was on another profile than the chosen one.
        var wasRequested: Bool { before != chosen }

        /// Whether the card has obeyed this process's request, or has not obeyed it yet. Any other
        /// profile was chosen by another program or the user.
        func isActive(_ profile: String) -> Bool { profile == chosen || profile == before }
    }

    /// The time in which the session manager writes the volume of a new route, also on a busy
    /// computer.
    private static let checkDelay = Duration.seconds(1)

    package init() {}

    /// Returns the orders for the watchdog.
    package func restoreOrders(_ graph: AudioGraph) -> [CardRestoreOrder] {
        let orders =
            routes.map { graph.restoreOrder($0.key, on: $0.value) }
            + cards.map { graph.restoreOrder(.profile($0.key), $0.value.chosen, before: $0.value.before) }
            + headsets.map { graph.restoreOrder(.headset($0.key), $0.value.chosen, before: $0.value.before) }
        return orders.compactMap(\.self).sorted { $0.mark.control.text < $1.mark.control.text }
    }

    /// Whether this process must restore a route or a profile.
    package var isSwitching: Bool { !routes.isEmpty || !cards.isEmpty || !headsets.isEmpty }

    /// Whether a headset is to be switched back as soon as no program records from it.
    package var isWaiting: Bool { !headsets.keys.allSatisfy(isNeededHandsFree) }

    /// The time of the next ``checkRoutes(_:now:isNeeded:)``.
    package var deadline: MonotonicTime? { checks.values.map(\.due).min() }

    /// Sets the needs of a session, and switches the cards.
    /// - Parameters:
    ///   - arrived: The uids of the outputs that have just become available.
    ///   - isNeeded: Returns whether another program needs the same.
    package mutating func set(
        _ requests: CardRequests, of session: AudioSessionID, _ graph: AudioGraph, now: MonotonicTime,
        arrived: Set<String> = [], isNeeded: (CardControl) -> Bool = { _ in false }
    ) -> [GraphCommand] {
        let old = requestsBySession.first { $0.session == session }?.requests ?? CardRequests()
        guard requests != old else { return [] }
        requestsBySession.removeAll { $0.session == session }
        if !requests.isEmpty { requestsBySession.append((session, requests)) }
        let new = requests.routes.filter { old.routes[$0.key] != $0.value }
        return new.compactMap { switchRoute($0.key, to: $0.value, graph, isNeeded) }
            + leave(old.routes.filter { requests.routes[$0.key] == nil }, graph, now, isNeeded)
            + switchProfiles(from: old.profiles, to: requests.profiles, graph, arrived, isNeeded) + evaluate(graph)
    }

    /// Switches back the nodes that the session manager has switched to a former session's route
    /// again.
    package mutating func checkRoutes(
        _ graph: AudioGraph, now: MonotonicTime, isNeeded: (CardControl) -> Bool
    ) -> [GraphCommand] {
        let due = checks.filter { $0.value.due <= now }
        for end in due.keys { checks[end] = nil }
        return due.sorted { ($0.key.device, $0.key.number) < ($1.key.device, $1.key.number) }.compactMap {
            end, check in
            guard graph.activeRoute(of: end) == check.route, !isNeeded(.route(end)),
                !requestsBySession.contains(where: { $0.requests.routes[end] != nil })
            else { return nil }
            return graph.switchBack(end)
        }
    }

    /// Switches headsets that are needed now, and switches back those that are free again.
    package mutating func evaluate(_ graph: AudioGraph) -> [GraphCommand] {
        let wanted = Set(requestsBySession.flatMap(\.requests.headsets))
        let there = wanted.sorted().compactMap { switchToHeadset($0, graph) }
        let back = headsets.keys.sorted().filter { !wanted.contains($0) }.compactMap { switchBack($0, graph) }
        return there + back
    }

    // MARK: Routes

    private mutating func switchRoute(
        _ end: CardPort, to name: String, _ graph: AudioGraph, _ isNeeded: (CardControl) -> Bool
    ) -> GraphCommand? {
        guard let device = graph.device(named: end.device), let route = graph.route(named: name, of: end) else {
            return nil
        }
        let isThere = graph.activeRoute(of: end) == name
        if !isThere || isNeeded(.route(end)) { routes[end] = name }
        return isThere ? nil : .setRoute(device.id, index: route.index, number: end.number)
    }

    /// Releases nodes that a session does not need any more. Each is switched to the route of
    /// another session, or else to the one that the session manager would choose.
    private mutating func leave(
        _ ends: [CardPort: String], _ graph: AudioGraph, _ now: MonotonicTime, _ isNeeded: (CardControl) -> Bool
    ) -> [GraphCommand] {
        ends.sorted { ($0.key.device, $0.key.number) < ($1.key.device, $1.key.number) }.compactMap { end, name in
            if let other = requestsBySession.compactMap({ $0.requests.routes[end] }).last {
                return switchRoute(end, to: other, graph, isNeeded)
            }
            guard let ours = routes.removeValue(forKey: end), ours == name, !isNeeded(.route(end)) else {
                return nil
            }
            // The card may not have obeyed yet.
            checks[end] = Check(route: name, due: now + Self.checkDelay)
            return graph.activeRoute(of: end) == name ? graph.switchBack(end) : nil
        }
    }

    // MARK: Profiles

    private mutating func switchProfiles(
        from old: [String: String], to new: [String: String], _ graph: AudioGraph, _ arrived: Set<String>,
        _ isNeeded: (CardControl) -> Bool
    ) -> [GraphCommand] {
        let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        return changed.sorted().compactMap { name in
            guard let device = graph.device(named: name), let active = device.activeProfile else {
                cards[name] = nil
                return nil
            }
            if let wanted = new[name] ?? requestsBySession.compactMap({ $0.requests.profiles[name] }).last {
                guard let profile = device.profile(named: wanted) else { return nil }
                let isThere = active.name == wanted
                if !isThere || isNeeded(.profile(name)) {
                    let own = isOwn(wanted, of: name, arrived) ? wanted : active.name
                    cards[name] = ProfileSwitch(before: cards[name]?.before ?? own, chosen: wanted)
                }
                return isThere ? nil : .setProfile(device.id, index: profile.index)
            }
            guard let own = cards.removeValue(forKey: name), own.wasRequested, own.isActive(active.name),
                !isNeeded(.profile(name)), let former = device.profile(named: own.before), former.availability != .no,
                active.name == own.before || !device.lacksOnlyEmptyJacks(of: former)
            else { return nil }
            return .setProfile(device.id, index: former.index)
        }
    }

    /// Whether the session manager selects the profile as well: the card had it until a jack was
    /// emptied, or its headphones have just been plugged in.
    private func isOwn(_ profile: String, of device: String, _ arrived: Set<String>) -> Bool {
        requestsBySession.map(\.requests).contains { requests in
            requests.profiles[device] == profile
                && (requests.regained.contains(device) || requests.headphones[device].map(arrived.contains) ?? false)
        }
    }

    // MARK: Headsets

    private func isNeededHandsFree(_ device: String) -> Bool {
        requestsBySession.contains { $0.requests.headsets.contains(device) }
    }

    private mutating func switchToHeadset(_ name: String, _ graph: AudioGraph) -> GraphCommand? {
        guard headsets[name] == nil, let device = graph.device(named: name), let current = device.activeProfile,
            !current.isHeadset, current.name != "off", let profile = device.headsetProfile
        else { return nil }
        headsets[name] = ProfileSwitch(before: current.name, chosen: profile.name)
        return .setProfile(device.id, index: profile.index)
    }

    private mutating func switchBack(_ name: String, _ graph: AudioGraph) -> GraphCommand? {
        guard let device = graph.device(named: name) else {
            headsets[name] = nil
            return nil
        }
        guard !graph.isRecordedFrom(device) else { return nil }
        guard let own = headsets.removeValue(forKey: name), let active = device.activeProfile,
            active.isHeadset || own.isActive(active.name), let profile = device.profile(named: own.before),
            profile.availability != .no
        else { return nil }
        return .setProfile(device.id, index: profile.index)
    }
}

extension Device {
    /// Whether the active profile lacks ports of another one, and all of these are unavailable. The
    /// headphones for which a card had the profile may have been pulled, and a screen alone keeps
    /// the profile available.
    func lacksOnlyEmptyJacks(of profile: DeviceProfile) -> Bool {
        let missing = routes.filter { $0.profiles.contains(profile.index) && !$0.isUsable(in: activeProfile) }
        return !missing.isEmpty && missing.allSatisfy { $0.availability == .no }
    }
}

extension AudioGraph {
    /// Whether any program's stream is linked to a microphone of the device.
    fileprivate func isRecordedFrom(_ device: Device) -> Bool {
        links.values.contains { link in
            let source = nodes[link.outputNode]
            return source?.deviceID == device.id && source?.mediaClass != .sink
                && nodes[link.inputNode]?.mediaClass == .captureStream
        }
    }
}
