package import AudioSessionCore
import CPipeWireShim

/// A device of this process that PipeWire publishes. It is created, used and released on the loop's
/// thread.
package final class ExportedDevice {
    private let object: ShimObject<Event>

    package enum Event: Sendable, Hashable {
        /// The daemon registered the device.
        case bound(ObjectID)
        /// A client, usually the session manager, requested a profile. The index is not checked.
        case profileRequested(index: Int, save: Bool)
        /// A client requested a route.
        case routeRequested(RouteRequest)
        /// The daemon removed the device.
        case removed
        /// The daemon did not register the device, or refused a later request.
        case failed(String)
    }

    /// A request for a route. Its values are not checked.
    package struct RouteRequest: Sendable, Hashable {
        package var index: Int
        /// The number of the node (`card.profile.device`) for which the route is requested.
        package var node: Int
        package var isSaved: Bool
        /// The linear volume of the first channel; `nil` leaves it unchanged.
        package var volume: Float?
        package var isMuted: Bool?

        package init(index: Int, node: Int, isSaved: Bool = false, volume: Float? = nil, isMuted: Bool? = nil) {
            self.index = index
            self.node = node
            self.isSaved = isSaved
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    private static let events = cpw_export_events(
        bound: { ShimObject<Event>.deliver($0, .bound(ObjectID($1))) },
        set_profile: { ShimObject<Event>.deliver($0, .profileRequested(index: Int($1), save: $2)) },
        set_route: { context, index, node, save, volume, mute in
            let request = RouteRequest(
                index: Int(index), node: Int(node), isSaved: save, volume: volume >= 0 ? volume : nil,
                isMuted: mute < 0 ? nil : mute != 0)
            ShimObject<Event>.deliver(context, .routeRequested(request))
        },
        removed: { ShimObject<Event>.deliver($0, .removed) },
        failed: { ShimObject<Event>.deliver($0, .failed(String(foreign: $2))) })

    /// Exports a device with its parameters.
    ///
    /// - Parameters:
    ///   - properties: The properties of the device, which must include `device.name`.
    ///   - receive: Called on the loop's thread. It may release the device at `removed` only.
    package init(
        properties: [(String, String)], parameters: DeviceParameters = DeviceParameters(),
        over connection: Connection, receive: @escaping (Event) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .exportingDevice, receive: receive, destroy: { cpw_export_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count -> OpaquePointer? in
                var events = Self.events
                return parameters.withShim {
                    cpw_export_create(connection.handle, properties, count, &$0, &events, user, &code)
                }
            }
        }
    }

    /// Replaces the parameters, and announces to other clients which of them changed.
    package func show(_ parameters: DeviceParameters, changed: Set<DeviceParameter>) throws(PipeWireError) {
        let mask = changed.reduce(UInt32(0)) { $0 | 1 << $1.shim.rawValue }
        let code = parameters.withShim { cpw_export_update(object.handle, &$0, mask) }
        guard code >= 0 else { throw PipeWireError(code: code, during: .exportingDevice) }
    }
}
