import AudioSessionCore
import PipeWireGraph

/// A node as a dump describes it, before missing properties are completed.
struct DumpNode {
    /// The number that the source text shows for the node, unparsed.
    let label: String?
    var id = ObjectID(0)
    var properties: Properties
    let raw: JSONValue
    let isMarkedDefault: Bool

    init(_ object: JSONValue) {
        raw = (object["info"] ?? object)["props"] ?? .null
        properties = Properties(dump: raw)
        label = object["id"]?.text
        isMarkedDefault = object["wpctl.default"]?.flag ?? false
        let flags = object["pactl.flags"]?.elements.compactMap(\.text) ?? []
        if flags.contains("NETWORK") { properties[.nodeNetwork] = "true" }
    }

    /// The number in the node's own properties; without one, the object's number.
    var wantedID: Int? { raw["object.id"]?.integer ?? label.flatMap { Int($0) } }
}

/// A device as a dump describes it.
struct DumpDevice {
    /// Limit for profiles and routes of one device. Cards have a few dozen, so a longer list is not
    /// from a card.
    static let listLimit = 1_000

    let label: String?
    var id = ObjectID(0)
    var device: Device
    let raw: JSONValue

    init(_ object: JSONValue) {
        let info = object["info"] ?? object
        let parameters = info["params"] ?? .null
        raw = info["props"] ?? .null
        label = object["id"]?.text
        device = Device(id: ObjectID(0), properties: Properties(dump: raw))
        var profiles = DumpProfiles(parameters["EnumProfile"])
        device.activeProfile = parameters["Profile"]?.elements.first.flatMap { profiles.profile($0) }
        let routes = (parameters["EnumRoute"]?.elements ?? []).prefix(Self.listLimit).enumerated().map {
            offset, route in
            DeviceRoute(dump: route, offset: offset, profiles: &profiles)
        }
        device.routes = routes.namedByNeighbours()
        device.activeRoutes = (parameters["Route"]?.elements ?? []).prefix(Self.listLimit).enumerated().map {
            offset, route in
            DeviceRoute(dump: route, offset: offset, profiles: &profiles).completed(by: device.routes)
        }
        device.profiles = profiles.all
    }

    var wantedID: Int? { raw["object.id"]?.integer ?? label.flatMap { Int($0) } }
}

extension Properties {
    init(dump: JSONValue) {
        self.init()
        let members = Dictionary(dump.members) { $1 }
        for key in PropertyKey.allCases {
            if let text = members[key.rawValue]?.text, !text.isEmpty { self[key] = text }
        }
    }
}

/// The profiles of a device. Human-readable text lists only names, so each name gets an index.
struct DumpProfiles {
    private(set) var all: [DeviceProfile] = []

    init(_ list: JSONValue?) {
        for entry in list?.elements.prefix(DumpDevice.listLimit) ?? [] { _ = profile(entry) }
    }

    /// The profile that a list entry refers to by an object, an index or a name.
    mutating func profile(_ entry: JSONValue) -> DeviceProfile? {
        let name = entry["name"]?.text
        if let index = (entry["index"] ?? entry).integer { return profile(index: index, name: name) }
        guard let name = name ?? entry.text else { return nil }
        if let known = all.first(where: { $0.name == name }) { return known }
        let free = (all.map(\.index).max() ?? -1).addingReportingOverflow(1)
        return free.overflow ? nil : profile(index: free.partialValue, name: name)
    }

    private mutating func profile(index: Int, name: String?) -> DeviceProfile {
        if let known = all.firstIndex(where: { $0.index == index }) {
            if let name, all[known].name.isEmpty { all[known].name = name }
            return all[known]
        }
        let profile = DeviceProfile(index: index, name: name ?? "")
        all.append(profile)
        return profile
    }
}
