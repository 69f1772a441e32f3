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
    let isRunning: Bool
    /// Whether the node's own mixer is muted, and its volumes; empty if they are unknown.
    let isMuted: Bool
    let volumes: [Float]

    init(_ object: JSONValue) {
        let info = object["info"] ?? object
        raw = info["props"] ?? .null
        isRunning = info["state"]?.text == "running"
        // A node has several objects of this type, of which one has the mixer.
        let mixers = info["params"]?["Props"]?.elements ?? []
        isMuted = mixers.contains { $0["mute"]?.flag ?? false }
        volumes = mixers.map(\.channelVolumes).first { !$0.isEmpty } ?? []
        properties = Properties(dump: raw)
        label = object["id"]?.text
        isMarkedDefault = object["wpctl.default"]?.flag ?? false
        let flags = object["pactl.flags"]?.elements.compactMap(\.text) ?? []
        if flags.contains("NETWORK") { properties[.nodeNetwork] = "true" }
    }

    /// The number in the node's own properties; without one, the object's number.
    var wantedID: ObjectID? { ObjectID(dump: raw["object.id"]?.integer ?? label.flatMap { Int($0) }) }
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
        device.routes = routes.namedByNeighbors()
        device.activeRoutes = (parameters["Route"]?.elements ?? []).prefix(Self.listLimit).enumerated().map {
            offset, route in
            DeviceRoute(dump: route, offset: offset, profiles: &profiles).completed(by: device.routes)
        }
        device.profiles = profiles.all
    }

    var wantedID: ObjectID? { ObjectID(dump: raw["object.id"]?.integer ?? label.flatMap { Int($0) }) }
}

/// A link as a dump describes it.
struct DumpLink {
    let wantedID: ObjectID?
    var link: Link

    /// Reads a link; `nil` if one of its ends is missing.
    init?(_ object: JSONValue) {
        let info = object["info"] ?? object
        func end(_ name: String, _ key: PropertyKey) -> ObjectID? {
            ObjectID(dump: info[name]?.integer ?? info["props"]?[key.rawValue]?.integer)
        }
        guard let output = end("output-node-id", .linkOutputNode), let input = end("input-node-id", .linkInputNode)
        else { return nil }
        wantedID = ObjectID(dump: object["id"]?.integer)
        link = Link(id: ObjectID(0), outputNode: output, inputNode: input)
    }
}

extension ObjectID {
    fileprivate init?(dump number: Int?) {
        guard let number = number.flatMap(UInt32.init(exactly:)) else { return nil }
        self.init(number)
    }
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

    /// The profile that a list entry refers to by an object, an index or a name; `nil` without one,
    /// or above the limit.
    mutating func profile(_ entry: JSONValue) -> DeviceProfile? {
        let name = entry["name"]?.text
        let availability = Availability(dump: entry["available"])
        if let index = (entry["index"] ?? entry).integer {
            return profile(index: index, name: name, availability)
        }
        guard let name = name ?? entry.text else { return nil }
        if let known = all.first(where: { $0.name == name }) { return known }
        return profile(index: (all.map(\.index).max() ?? -1) + 1, name: name, availability)
    }

    private mutating func profile(index: Int, name: String?, _ availability: Availability) -> DeviceProfile? {
        if let known = all.firstIndex(where: { $0.index == index }) {
            if let name, all[known].name.isEmpty { all[known].name = name }
            if all[known].availability == .unknown { all[known].availability = availability }
            return all[known]
        }
        // PipeWire's indexes have 32 bits.
        guard Int32(exactly: index) != nil, all.count < DumpDevice.listLimit else { return nil }
        let profile = DeviceProfile(index: index, name: name ?? "", availability: availability)
        all.append(profile)
        return profile
    }
}
