import AudioSessionCore
import CPipeWireShim

/// A device's list of routes, which arrives entry by entry.
///
/// The end of a list is known one round trip after its last entry: the daemon reads nothing more from a client until the
/// device's owner has answered. Nearly always a device lists the same routes again in the same order, and only a jack is
/// another. So a list is complete when as many entries have arrived as the last time, and is sent once more if others follow.
///
/// A class, because it grows in place while another list reads it.
final class RouteList {
    /// As last sent.
    private var sent: [DeviceRoute] = []
    /// Of the answer under way.
    private var entries: [DeviceRoute] = []
    private var textBytes = 0
    /// Whether each entry has the place of its former one, whatever else is different.
    private var areSameEntries = true
    private(set) var isOpen = false
    private var isSent = false

    /// More routes than cards have. Only the first of a longer list are compared with another list's.
    private static let usual = 64

    func begin() {
        (textBytes, areSameEntries, isOpen, isSent) = (0, true, true, false)
        entries.removeAll(keepingCapacity: true)
    }

    /// - Parameter all: a list that may have the same route.
    /// - Returns: whether there was room for it.
    func append(_ route: cpw_route, oneOf all: RouteList? = nil) -> Bool {
        guard isOpen else { return true }
        let place = entries.count
        guard place < GraphLimits.routes else { return false }
        let former = place < sent.count ? sent[place] : nil
        let route = DeviceRoute(route, former: former, elsewhere: all?.route(route.index))
        guard textBytes + route.textByteCount <= GraphLimits.textsOfList else { return false }
        textBytes += route.textByteCount
        entries.append(route)
        if former.map(route.isSameEntry) != true { areSameEntries = false }
        isSent = false
        return true
    }

    private func route(_ index: Int32) -> DeviceRoute? {
        sent.prefix(Self.usual).first { $0.index == Int(index) }
    }

    /// - Returns: the list, if all entries of the last time have arrived, and it was not sent.
    func takeIfComplete() -> [DeviceRoute]? {
        guard !isSent, areSameEntries, entries.count == sent.count else { return nil }
        return take()
    }

    /// - Returns: the list, if it was not sent.
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
    /// Of its texts and lists.
    fileprivate var textByteCount: Int {
        let texts = [name, description, portType ?? "", availabilityGroup ?? "", productName ?? ""]
        return texts.reduce(0) { $0 + $1.utf8.count } + 8 * (profiles.count + devices.count)
    }

    /// Whatever may have changed about it.
    fileprivate func isSameEntry(as other: Self) -> Bool {
        tellsTheSame(as: other)
            || (index, name, direction, device) == (other.index, other.name, other.direction, other.device)
    }
}
