import AudioSessionCore
import CPipeWireShim

/// The routes of a device, which arrive one by one.
///
/// The end of a list is known one round trip after its last entry, because the daemon reads nothing
/// from a client until the device's owner has answered. A device nearly always lists the same
/// routes in the same order, with another availability. A list is therefore sent as soon as it has
/// as many entries as the last one, and again if more follow.
///
/// It is a class, so that it can grow in place while another list reads it.
final class RouteList {
    /// The list that was sent last.
    private var sent: [DeviceRoute] = []
    /// The entries of the answer under way.
    private var entries: [DeviceRoute] = []
    private var textBytes = 0
    /// Whether each entry is the same route as in the last list, with any availability and volume.
    private var areSameEntries = true
    private(set) var isOpen = false
    private var isSent = false

    /// A number of routes that cards do not exceed. Only this many routes of a list are compared
    /// with those of another list.
    private static let comparedRoutes = 64

    func begin() {
        (textBytes, areSameEntries, isOpen, isSent) = (0, true, true, false)
        entries.removeAll(keepingCapacity: true)
    }

    /// Appends a route to the list under way, if there is one.
    ///
    /// - Parameter all: A list that may have the same route.
    /// - Returns: Whether the route is within the limits.
    func append(_ route: cpw_route, oneOf all: RouteList? = nil) -> Bool {
        guard isOpen else { return true }
        let index = entries.count
        guard index < GraphLimits.routes else { return false }
        let former = index < sent.count ? sent[index] : nil
        let route = DeviceRoute(route, former: former, elsewhere: all?.route(route.index))
        guard textBytes + route.textByteCount <= GraphLimits.textsOfList else { return false }
        textBytes += route.textByteCount
        entries.append(route)
        if former.map(route.isSameEntry) != true { areSameEntries = false }
        isSent = false
        return true
    }

    private func route(_ index: Int32) -> DeviceRoute? {
        sent.prefix(Self.comparedRoutes).first { $0.index == Int(index) }
    }

    /// Returns the list if it has all entries of the last one, and was not sent yet.
    func takeIfComplete() -> [DeviceRoute]? {
        guard !isSent, areSameEntries, entries.count == sent.count else { return nil }
        return take()
    }

    /// Ends the list, and returns it if it was not sent yet.
    func end() -> [DeviceRoute]? {
        guard isOpen else { return nil }
        isOpen = false
        return isSent ? nil : take()
    }

    private func take() -> [DeviceRoute] {
        (sent, isSent) = (entries, true)
        return sent
    }
}

extension DeviceRoute {
    /// The memory that the texts and lists of the route take.
    fileprivate var textByteCount: Int {
        let texts = [name, description, portType ?? "", availabilityGroup ?? "", productName ?? ""]
        return texts.reduce(0) { $0 + $1.utf8.count } + 8 * (profiles.count + devices.count)
    }

    /// Whether the other value describes the same route, even if its availability or volume differ.
    fileprivate func isSameEntry(as other: Self) -> Bool {
        isEquivalent(to: other)
            || (index, name, direction, device) == (other.index, other.name, other.direction, other.device)
    }
}
