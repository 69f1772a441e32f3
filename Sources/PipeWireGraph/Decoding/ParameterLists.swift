import AudioSessionCore
import CPipeWireShim

/// The lists of parameters by device, as a sorted array. They are few, so that a binary search is
/// faster than hashing.
struct ParameterLists<List: AnyObject> {
    private var entries: [Entry] = []

    private struct Entry {
        let key: Key
        var list: List
    }

    private struct Key: Comparable {
        let device: UInt32
        let parameter: UInt32

        static func < (left: Self, right: Self) -> Bool {
            left.device == right.device ? left.parameter < right.parameter : left.device < right.device
        }
    }

    subscript(device: UInt32, parameter: cpw_device_param) -> List? {
        get {
            let key = Key(device: device, parameter: parameter.rawValue)
            let place = place(of: key)
            return holds(key, at: place) ? entries[place].list : nil
        }
        set {
            let key = Key(device: device, parameter: parameter.rawValue)
            let place = place(of: key)
            switch (holds(key, at: place), newValue) {
            case (true, let list?): entries[place].list = list
            case (true, nil): entries.remove(at: place)
            case (false, let list?): entries.insert(Entry(key: key, list: list), at: place)
            case (false, nil): break
            }
        }
    }

    mutating func remove(device: UInt32) { entries.removeAll { $0.key.device == device } }

    var lists: some Collection<List> { entries.lazy.map(\.list) }

    private func holds(_ key: Key, at place: Int) -> Bool { place < entries.count && entries[place].key == key }

    private func place(of key: Key) -> Int { entries.place(after: { $0.key < key }) }
}
