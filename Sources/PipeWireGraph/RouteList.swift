import AudioSessionCore
import CPipeWireShim

/// A device's list of routes, as it comes in entry by entry.
///
/// Its end is only known when the daemon has read what was sent after the question, which it does not before the device's
/// owner has answered it: one way to and fro later than the last entry. Nearly always the same routes come in the same
/// order as the time before, and only what is in a jack is another. So a list is told when all of those have come, and
/// once more if there are others behind them.
///
/// By reference: it grows where it is, and another list looks into it.
final class RouteList {
    private var routes: [DeviceRoute] = []
    /// Of the answer before.
    private var former: [DeviceRoute] = []
    /// Room for the next answer, which is waited for.
    private var room: [DeviceRoute] = []
    private(set) var isOpen = false
    private var isTold = false

    /// More routes than cards have. For longer lists nothing is made ready.
    private static let usual = 64

    func begin() {
        if !isOpen { former = routes }
        (routes, room, isOpen, isTold) = (room, [], true, false)
    }

    /// - Parameter all: a list in which the same route may stand.
    /// - Returns: the list, if it is to be told now.
    func append(_ route: cpw_route, oneOf all: RouteList? = nil) -> [DeviceRoute]? {
        guard isOpen, routes.count < GraphDecoder.longestList else { return nil }
        let before = routes.count < former.count ? former[routes.count] : nil
        routes.append(DeviceRoute(route, former: before, elsewhere: all?.route(route.index)))
        isTold = routes.count == former.count && zip(routes, former).allSatisfy { $0.isSamePlace(as: $1) }
        return isTold ? routes : nil
    }

    private func route(_ index: Int32) -> DeviceRoute? {
        routes.prefix(Self.usual).first { $0.index == Int(index) }
    }

    /// - Returns: the list, if it is to be told now.
    func end() -> [DeviceRoute]? {
        guard isOpen else { return nil }
        isOpen = false
        // Now, and not when the next answer comes in, which is waited for.
        former = []
        room.reserveCapacity(min(routes.count, Self.usual))
        return isTold ? nil : routes
    }
}

extension DeviceRoute {
    /// Whatever may have changed about it.
    fileprivate func isSamePlace(as other: Self) -> Bool {
        tellsTheSame(as: other)
            || (index, name, direction, device) == (other.index, other.name, other.direction, other.device)
    }
}
