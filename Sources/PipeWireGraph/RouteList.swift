import AudioSessionCore
import CPipeWireShim
import Glibc

/// A device's list of routes, as it comes in entry by entry.
///
/// Its end is only known when the daemon has read what was sent after the question, which it does not before the device's
/// owner has answered it: one way to and fro later than the last entry. Nearly always the same routes come in the same
/// order as the time before, and only what is in a jack is another. So a list is told when all of those have come, and
/// once more if there are others behind them.
///
/// By reference: it grows where it is, and another list looks into it.
final class RouteList {
    /// As last told.
    private var told: [Entry] = []
    /// Of the answer under way: so many entries are those that were told, but for what is in these jacks ...
    private var sameCount = 0
    private var jacks: [(place: Int, availability: Availability)] = []
    /// ... or, once one of them is another, all that have come.
    private var others: Others?
    private(set) var isOpen = false
    private var isTold = false

    private struct Entry {
        var route: DeviceRoute
        let words: RouteWords
    }

    private struct Others {
        var entries: [Entry]
        var textBytes: Int
        var wordBytes: Int
        /// Whether each stands where it stood, whatever may have changed about it.
        var areSamePlaces = true

        init(_ entries: [Entry]) {
            self.entries = entries
            textBytes = entries.reduce(0) { $0 + $1.route.textByteCount }
            wordBytes = entries.reduce(0) { $0 + $1.words.byteCount }
        }
    }

    /// More routes than cards have. Of longer lists not all is kept in mind.
    private static let usual = 64

    func begin() {
        (sameCount, others, isOpen, isTold) = (0, nil, true, false)
        jacks.removeAll(keepingCapacity: true)
    }

    /// - Returns: whether the entry is the one that stood in its place, but for what is in its jack. If not, it has to be read.
    func appendAgain(_ words: UnsafeRawBufferPointer) -> Bool {
        guard isOpen, others == nil, sameCount < told.count,
            let availability = told[sameCount].words.availability(in: words)
        else { return false }
        if told[sameCount].route.availability != availability { jacks.append((sameCount, availability)) }
        sameCount += 1
        return true
    }

    /// - Parameter all: a list in which the same route may stand.
    /// - Returns: whether there was room for it.
    func append(_ route: cpw_route, _ words: cpw_route_words?, oneOf all: RouteList? = nil) -> Bool {
        guard isOpen else { return true }
        var others = others ?? Others(sameEntries)
        self.others = nil
        defer { self.others = others }
        let place = others.entries.count
        guard place < GraphLimits.routes else { return false }
        let former = place < told.count ? told[place].route : nil
        let route = DeviceRoute(route, former: former, elsewhere: all?.route(route.index))
        others.textBytes += route.textByteCount
        guard others.textBytes <= GraphLimits.textsOfList else { return false }
        // Without its words a route is read each time.
        let room = GraphLimits.answerOfList - others.wordBytes
        let kept = RouteWords(place < Self.usual ? words : nil, atMost: room)
        others.wordBytes += kept.byteCount
        others.entries.append(Entry(route: route, words: kept))
        if former.map(route.isSamePlace) != true { others.areSamePlaces = false }
        isTold = false
        return true
    }

    /// Those that were told before, as far as they have come again.
    private var sameEntries: [Entry] {
        var entries = Array(told.prefix(sameCount))
        for jack in jacks { entries[jack.place].route.availability = jack.availability }
        return entries
    }

    private func route(_ index: Int32) -> DeviceRoute? {
        told.prefix(Self.usual).first { $0.route.index == Int(index) }?.route
    }

    /// - Returns: the list, if it is to be told now: all that were told before have come.
    func takeNews() -> [DeviceRoute]? {
        guard !isTold, others.map({ $0.areSamePlaces && $0.entries.count == told.count }) ?? (sameCount == told.count)
        else { return nil }
        return take()
    }

    /// - Returns: the list, if it is to be told now.
    func end() -> [DeviceRoute]? {
        guard isOpen else { return nil }
        isOpen = false
        return isTold ? nil : take()
    }

    private func take() -> [DeviceRoute] {
        if let others {
            told = others.entries
        } else if sameCount < told.count {
            told = sameEntries
        } else {
            for jack in jacks { told[jack.place].route.availability = jack.availability }
        }
        (sameCount, others, isTold) = (told.count, nil, true)
        jacks.removeAll(keepingCapacity: true)
        return told.map(\.route)
    }
}

/// The bytes that a route was read from.
private struct RouteWords {
    private var bytes: [UInt8] = []
    private var availableAt = 0

    var byteCount: Int { bytes.count }

    /// - Parameter most: Longer ones are not kept.
    init(_ words: cpw_route_words?, atMost most: Int) {
        guard let words, words.available_at > 0, words.available_at + 4 <= words.size, words.size <= most
        else { return }
        bytes = Array(UnsafeRawBufferPointer(start: words.bytes, count: words.size))
        availableAt = words.available_at
    }

    /// What is in the jack, if nothing else is another.
    func availability(in words: UnsafeRawBufferPointer) -> Availability? {
        guard !bytes.isEmpty, words.count == bytes.count, let new = words.baseAddress else { return nil }
        let isSame = bytes.withUnsafeBytes { former in
            guard let old = former.baseAddress else { return false }
            let behind = availableAt + 4
            return memcmp(old, new, availableAt) == 0 && memcmp(old + behind, new + behind, words.count - behind) == 0
        }
        guard isSame else { return nil }
        return Availability(rawValue: words.loadUnaligned(fromByteOffset: availableAt, as: UInt32.self)) ?? .unknown
    }
}

extension DeviceRoute {
    /// Of its texts and lists.
    fileprivate var textByteCount: Int {
        let texts = [name, description, portType ?? "", availabilityGroup ?? "", productName ?? ""]
        return texts.reduce(0) { $0 + $1.utf8.count } + 8 * (profiles.count + devices.count)
    }

    /// Whatever may have changed about it.
    fileprivate func isSamePlace(as other: Self) -> Bool {
        tellsTheSame(as: other)
            || (index, name, direction, device) == (other.index, other.name, other.direction, other.device)
    }
}
