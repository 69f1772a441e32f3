import AudioSessionCore
import AudioSessions
public import CAudioSession
import PipeWireGraph

/// The data sources of a port at one moment, for C programs.
final class DataSources: Sendable {
    private struct Source {
        let orientation: as_orientation
        let isSelected: Bool
        let id: Word
        let name: Word
        let port: Word
    }

    private let sources: [Source]

    init(_ sources: [DataSource], selected: DataSource?) {
        self.sources = sources.map { source in
            Source(
                orientation: as_orientation(source.orientation), isSelected: source == selected, id: Word(source.id),
                name: Word(source.name), port: Word(source.port.uid))
        }
    }

    var count: Int { sources.count }

    func source(_ index: UInt32) throws(Failure) -> as_data_source {
        guard index < sources.count else {
            throw .badParam("The index \(index) is out of range: there are \(sources.count) data sources.")
        }
        let source = sources[Int(index)]
        return as_data_source(
            size: UInt32(MemoryLayout<as_data_source>.size), orientation: source.orientation,
            is_selected: source.isSelected, id: source.id.pointer, name: source.name.pointer,
            port_uid: source.port.pointer)
    }
}

extension as_orientation {
    fileprivate init(_ orientation: DataSource.Orientation?) {
        self =
            switch orientation {
            case nil: AS_ORIENTATION_UNKNOWN
            case .top: AS_ORIENTATION_TOP
            case .bottom: AS_ORIENTATION_BOTTOM
            case .front: AS_ORIENTATION_FRONT
            case .back: AS_ORIENTATION_BACK
            case .left: AS_ORIENTATION_LEFT
            case .right: AS_ORIENTATION_RIGHT
            }
    }
}

extension PortDirection {
    init(_ direction: as_direction) throws(Failure) {
        switch direction {
        case AS_DIRECTION_OUTPUT: self = .output
        case AS_DIRECTION_INPUT: self = .input
        default:
            throw .badParam(
                "The direction \(direction.rawValue) does not exist. Use a constant of audiosession.h.")
        }
    }
}

@c @implementation
public func as_manager_get_data_sources(
    _ manager: OpaquePointer?, _ portUID: UnsafePointer<CChar>?, _ sources: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    sources?.pointee = nil
    return answer(error) {
        try give(sources, "data sources") {
            let manager = try Handles.all.find(manager, Manager.self).manager
            let uid = try text(portUID, "port_uid")
            guard let port = (manager.availableOutputs + manager.availableInputs).first(where: { $0.uid == uid })
            else {
                throw Failure(
                    status: AS_ERROR_RESOURCE_NOT_AVAILABLE,
                    message: "The port '\(uid?.prefix(80) ?? "")' is not available. "
                        + "Pass the uid of one of as_manager_get_available_ports.")
            }
            let (all, selected) = try waitUntilDone { await manager.dataSources(of: port) }
            return DataSources(all, selected: selected)
        }
    }
}

@c @implementation
public func as_session_get_data_sources(
    _ session: OpaquePointer?, _ direction: as_direction, _ sources: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    sources?.pointee = nil
    return answer(error) {
        try give(sources, "data sources") {
            let session = try Handles.all.find(session, Session.self).session
            let direction = try PortDirection(direction)
            return try waitUntilDone {
                direction == .output
                    ? DataSources(session.outputDataSources, selected: session.outputDataSource)
                    : DataSources(session.inputDataSources, selected: session.inputDataSource)
            }
        }
    }
}

@c @implementation
public func as_session_set_data_source(
    _ session: OpaquePointer?, _ direction: as_direction, _ id: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    answer(error) {
        let session = try Handles.all.find(session, Session.self).session
        let (direction, id) = (try PortDirection(direction), try text(id, "id"))
        try waitUntilDone {
            let sources = direction == .output ? session.outputDataSources : session.inputDataSources
            let source = sources.first { $0.id == id }
            guard source != nil || id == nil else {
                throw Failure(
                    status: AS_ERROR_RESOURCE_NOT_AVAILABLE,
                    message: "The port in use has no data source '\(id?.prefix(80) ?? "")'. "
                        + "Select one of as_session_get_data_sources.")
            }
            if direction == .output {
                try await session.setOutputDataSource(source)
            } else {
                try await session.setInputDataSource(source)
            }
        }
    }
}

@c @implementation
public func as_data_sources_count(_ sources: OpaquePointer?) -> UInt32 {
    count(sources, DataSources.self, \.count)
}

@c @implementation
public func as_data_sources_get(
    _ sources: OpaquePointer?, _ index: UInt32, _ source: UnsafeMutablePointer<as_data_source>?
) -> as_status {
    answer { try write(Handles.all.find(sources, DataSources.self).source(index), to: source) }
}

@c @implementation
public func as_data_sources_free(_ sources: OpaquePointer?) -> as_status {
    guard sources != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(sources, DataSources.self) }
}
