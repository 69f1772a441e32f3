package import AudioSessionCore
import CPipeWireShim
import Glibc

/// A device of this process that PipeWire shows to everybody. To be made, used and dropped on the loop's thread.
package final class ExportedDevice {
    private let object: ShimObject<Event>

    package enum Event: Sendable, Hashable {
        case bound(ObjectID)
        /// Somebody, as a rule the session manager, chose a profile. The index is as unchecked as the request.
        case profileRequested(index: Int, save: Bool)
        case routeRequested(RouteRequest)
        /// The daemon destroyed the device.
        case removed
        /// The daemon did not make the device, or refused something later.
        case failed(String)
    }

    /// A wish for a route. Nothing in it is checked.
    package struct RouteRequest: Sendable, Hashable {
        package var index: Int
        /// The number of the node (`card.profile.device`) that the route is to serve.
        package var node: Int
        package var isSaved: Bool
        /// Linear, of the first channel; `nil` leaves it as it is.
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
        failed: { ShimObject<Event>.deliver($0, .failed(String(cString: $2))) })

    /// - Parameters:
    ///   - properties: `device.name` must be among them.
    ///   - receive: called on the loop's thread. It may drop the device at `removed`, at nothing else.
    package init(
        properties: [(String, String)], parameters: DeviceParameters = DeviceParameters(),
        over connection: Connection, receive: @escaping (Event) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .exportingDevice, receive: receive, destroy: { cpw_export_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count -> OpaquePointer? in
                guard let properties else {
                    code = -EINVAL  // as for any list without a device.name
                    return nil
                }
                var events = Self.events
                return parameters.withShim {
                    cpw_export_create(connection.handle, properties, count, &$0, &events, user, &code)
                }
            }
        }
    }

    /// Shows other parameters, and tells every listener which of them changed.
    package func show(_ parameters: DeviceParameters, changed: Set<DeviceParameter>) throws(PipeWireError) {
        let mask = changed.reduce(UInt32(0)) { $0 | 1 << $1.shim.rawValue }
        let code = parameters.withShim { cpw_export_update(object.handle, &$0, mask) }
        guard code >= 0 else { throw PipeWireError(code: code, during: .exportingDevice) }
    }
}
