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
            let index = insertionIndex(of: key)
            return holds(key, at: index) ? entries[index].list : nil
        }
        set {
            let key = Key(device: device, parameter: parameter.rawValue)
            let index = insertionIndex(of: key)
            switch (holds(key, at: index), newValue) {
            case (true, let list?): entries[index].list = list
            case (true, nil): entries.remove(at: index)
            case (false, let list?): entries.insert(Entry(key: key, list: list), at: index)
            case (false, nil): break
            }
        }
    }

    mutating func remove(device: UInt32) { entries.removeAll { $0.key.device == device } }

    var lists: some Collection<List> { entries.lazy.map(\.list) }

    private func holds(_ key: Key, at index: Int) -> Bool { index < entries.count && entries[index].key == key }

    private func insertionIndex(of key: Key) -> Int { entries.insertionIndex(after: { $0.key < key }) }
}
