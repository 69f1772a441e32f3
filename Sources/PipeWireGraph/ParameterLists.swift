import CPipeWireShim

/// Of each device the lists of parameters that it tells. They are few, among which looking is faster than hashing.
struct ParameterLists<List: AnyObject> {
    private var entries: [Entry] = []

    private struct Entry {
        let device: UInt32
        let parameter: cpw_device_param
        var list: List
    }

    subscript(device: UInt32, parameter: cpw_device_param) -> List? {
        get { place(device, parameter).map { entries[$0].list } }
        set {
            switch (place(device, parameter), newValue) {
            case (let place?, let list?): entries[place].list = list
            case (let place?, nil): entries.remove(at: place)
            case (nil, let list?): entries.append(Entry(device: device, parameter: parameter, list: list))
            case (nil, nil): break
            }
        }
    }

    mutating func remove(device: UInt32) { entries.removeAll { $0.device == device } }

    var lists: some Collection<List> { entries.lazy.map(\.list) }

    private func place(_ device: UInt32, _ parameter: cpw_device_param) -> Int? {
        entries.firstIndex { $0.device == device && $0.parameter == parameter }
    }
}
