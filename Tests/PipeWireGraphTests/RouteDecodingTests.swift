import AudioSessionCore
import CPipeWireShim
import Testing

@testable import PipeWireGraph

@Suite("Routes reuse the previous answer")
struct RouteDecodingTests {
    /// Repeated values of a card are not copied, and that must not keep any value that it has
    /// dropped.
    @Test("A decoded route equals the card's, whatever the previous one was")
    func nothingIsKept() {
        for former in routes {
            for route in routes {
                #expect(route.withShim { DeviceRoute($0, former: former) } == route)
                #expect(route.withShim { DeviceRoute($0, elsewhere: former) } == route)
            }
        }
    }

    @Test("The first answer reuses nothing")
    func first() {
        for route in routes { #expect(route.withShim { DeviceRoute($0) } == route) }
    }

    /// Routes that each differ from the first by one value.
    private var routes: [DeviceRoute] {
        let route = DeviceRoute(
            index: 1, direction: .output, name: "headphones", description: "Headphones", priority: 900,
            availability: .no, portType: "headphones", availabilityGroup: "Jack 1", productName: "Screen",
            profiles: [1, 2], devices: [3], device: 3, isMuted: true, volumes: [0.5, 0.25])
        let changes: [(inout DeviceRoute) -> Void] = [
            { $0.index = 2 }, { $0.direction = .input }, { $0.name = "headphones2" }, { $0.name = "head" },
            { $0.name = "" }, { $0.description = "Kopfhörer" }, { $0.priority = 0 }, { $0.availability = .yes },
            { $0.availability = .unknown }, { $0.portType = nil }, { $0.portType = "" }, { $0.portType = "hdmi" },
            { $0.availabilityGroup = nil }, { $0.availabilityGroup = "Jack 2" }, { $0.productName = nil },
            { $0.productName = "Screens" }, { $0.profiles = [] }, { $0.profiles = [1] }, { $0.profiles = [1, 3] },
            { $0.devices = [3, 4] }, { $0.device = nil }, { $0.isMuted = false }, { $0.volumes = [] },
            { $0.volumes = [0.5] }, { $0.volumes = [0.5, 0.5] },
        ]
        return [route]
            + changes.map { change in
                var other = route
                change(&other)
                return other
            }
    }
}

extension DeviceRoute {
    fileprivate func withShim<Result>(_ body: (cpw_route) -> Result) -> Result {
        let arena = CArena()
        return withExtendedLifetime(arena) {
            body(
                cpw_route(
                    index: Int32(index), is_input: direction == .input, name: arena.string(name),
                    description: arena.string(description), priority: Int32(priority),
                    available: availability.rawValue, port_type: arena.optional(portType),
                    availability_group: arena.optional(availabilityGroup), product_name: arena.optional(productName),
                    profiles: arena.numbers(profiles), profile_count: profiles.count,
                    devices: arena.numbers(devices), device_count: devices.count,
                    device: device.map(Int32.init) ?? -1, mute: isMuted, volumes: arena.array(volumes),
                    volume_count: volumes.count))
        }
    }
}
