/// A value in PipeWire's binary form, for tests that need control of every byte.
indirect enum Pod {
    case none
    case bool(Bool)
    case id(UInt32)
    case int(Int32)
    case float(Float)
    case string(String)
    case ints([Int32])
    case structure([Pod])
    case object(type: UInt32, id: UInt32, [(UInt32, Pod)])
    /// A choice of kind "none", that is, exactly one value.
    case choice(Pod)
    /// Any bytes, with a size that need not be that of the body.
    case raw(type: UInt32, size: UInt32, body: [UInt8])

    var bytes: [UInt8] {
        let (type, body) = parts
        var size = UInt32(body.count)
        if case .raw(_, let claimed, _) = self { size = claimed }
        return words([size, type]) + body
    }

    private var parts: (type: UInt32, body: [UInt8]) {
        switch self {
        case .none: (1, [])
        case .bool(let value): (2, words([value ? 1 : 0]))
        case .id(let value): (3, words([value]))
        case .int(let value): (4, words([UInt32(bitPattern: value)]))
        case .float(let value): (6, words([value.bitPattern]))
        case .string(let value): (8, Array(value.utf8) + [0])
        case .ints(let values): (13, words([4, 4] + values.map { UInt32(bitPattern: $0) }))
        case .structure(let values): (14, values.flatMap { padded($0.bytes) })
        case .object(let type, let id, let properties):
            (15, words([type, id]) + properties.flatMap { words([$0.0, 0]) + padded($0.1.bytes) })
        case .choice(let value): (19, words([0, 0]) + value.bytes)
        case .raw(let type, _, let body): (type, body)
        }
    }
}

private func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(repeating: 0, count: (8 - bytes.count % 8) % 8)
}

func words(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

extension Pod {
    static let enumProfile: UInt32 = 8
    static let profile: UInt32 = 9
    static let enumRoute: UInt32 = 12
    static let route: UInt32 = 13
    /// The key of a flag among properties.
    static let mute: UInt32 = 0x10004
    /// The key of the volumes of channels.
    static let channelVolumes: UInt32 = 0x10008

    static func volumes(_ volumes: [Float]) -> Pod {
        let values = words([4, 6] + volumes.map(\.bitPattern))
        return .object(
            type: 0x40002, id: 2, [(Pod.channelVolumes, .raw(type: 13, size: UInt32(values.count), body: values))])
    }

    static func profile(
        index: Int32, name: String, availability: UInt32 = 0, parameter: UInt32 = Pod.enumProfile
    ) -> Pod {
        .object(
            type: 0x40007, id: parameter,
            [
                (1, .int(index)), (2, .string(name)), (3, .string("Profile \(name)")), (4, .int(index * 100)),
                (5, .id(availability)),
            ])
    }

    static func props(isMuted: Bool?, parameter: UInt32 = 2) -> Pod {
        .object(type: 0x40002, id: parameter, isMuted.map { [(Pod.mute, Pod.bool($0))] as [(UInt32, Pod)] } ?? [])
    }

    static func route(
        index: Int32, name: String, isInput: Bool = false, availability: UInt32 = 0, portType: String = "speaker",
        profiles: [Int32] = [1], devices: [Int32] = [0], device: Int32? = nil, isMuted: Bool? = nil
    ) -> Pod {
        let props = Pod.props(isMuted: isMuted, parameter: Pod.route)
        let active: [(UInt32, Pod)] = device.map { [(UInt32(3), Pod.int($0)), (UInt32(10), props)] } ?? []
        let info: [Pod] = [
            .int(3), .string("port.type"), .string(portType), .string("device.product.name"), .string("Screen"),
            .string("port.availability-group"), .string("Jack \(index)"),
        ]
        return .object(
            type: 0x40009, id: device == nil ? Pod.enumRoute : Pod.route,
            [
                (1, .int(index)), (2, .id(isInput ? 0 : 1)), (4, .string(name)), (5, .string("Route \(name)")),
                (6, .int(index * 10)), (7, .id(availability)), (8, .structure(info)), (9, .ints(profiles)),
            ] + active + [(11, .ints(devices))])
    }
}
