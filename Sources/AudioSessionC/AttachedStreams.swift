import AudioSessionDesktop
public import CAudioSession

@c @implementation
public func as_attached_create(
    _ session: OpaquePointer?, _ attached: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<as_error>?
) -> as_status {
    attached?.pointee = nil
    return answer(error) {
        try give(attached, "attached streams") {
            try AttachedStreams(session: try Handles.all.find(session, Session.self).session)
        }
    }
}

@c @implementation
public func as_attached_destroy(_ attached: OpaquePointer?) -> as_status {
    guard attached != nil else { return AS_OK }
    return answer {
        try checkMayRelease()
        let streams = try Handles.all.take(attached, AttachedStreams.self)
        try waitUntilDone { await streams.close() }
    }
}
