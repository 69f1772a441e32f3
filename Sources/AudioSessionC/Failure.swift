import AudioSessionCore
import AudioSessionDesktop
import AudioSessionPlayback
import CAudioSession
import PipeWireGraph

/// Why a call failed.
struct Failure: Error {
    var status: as_status
    var osStatus: Int32 = 0
    var message: String

    static func badParam(_ message: String) -> Self {
        Self(status: AS_ERROR_BAD_PARAM, osStatus: -50, message: message)
    }

    static func badHandle(_ kind: Any.Type) -> Self {
        let name = handleNames[ObjectIdentifier(kind)] ?? "\(kind)"
        return Self(
            status: AS_ERROR_BAD_HANDLE,
            message: "The handle is no \(name): it is NULL, was released, or is of another type. "
                + "Pass one that was not released.")
    }

    /// The types of handles in the header, by the objects behind them.
    private static let handleNames: [ObjectIdentifier: String] = [
        ObjectIdentifier(Manager.self): "as_manager",
        ObjectIdentifier(Session.self): "as_session",
        ObjectIdentifier(HeldSession.self): "as_hold",
        ObjectIdentifier(Route.self): "as_route",
        ObjectIdentifier(DataSources.self): "as_data_sources",
        ObjectIdentifier(SilenceReasons.self): "as_silence_reasons",
        ObjectIdentifier(Choice.self): "as_choice",
        ObjectIdentifier(Output.self): "as_output",
        ObjectIdentifier(Input.self): "as_input",
        ObjectIdentifier(UnmanagedPrograms.self): "as_unmanaged",
        ObjectIdentifier(Programs.self): "as_programs",
        ObjectIdentifier(AttachedStreams.self): "as_attached",
        ObjectIdentifier(Player.self): "as_player",
        ObjectIdentifier(Queue.self): "as_items",
        ObjectIdentifier(Recorder.self): "as_recorder",
        ObjectIdentifier(PlayerShown.self): "as_now_playing",
    ]

    static let wrongThread = Self(
        status: AS_ERROR_WRONG_THREAD,
        message: "A handler cannot call as_manager_close or a function that ends in _destroy. Use another thread.")

    static let onLoopThread = Self(
        status: AS_ERROR_WRONG_THREAD,
        message:
            "A function that waits cannot be called on the library's thread, as by a destroy function. Use another thread."
    )

    static let dispatchesElsewhere = Self(
        status: AS_ERROR_WRONG_THREAD,
        message: "Another thread is in as_manager_dispatch of this manager. Call it on one thread.")

    static let dispatchesOnLibraryThread = Self(
        status: AS_ERROR_WRONG_THREAD,
        message: "as_manager_dispatch was called on a thread of the library, as by a handler or a destroy function. "
            + "Call it on a thread of the program.")

    static let noDescriptor = Self(
        status: AS_ERROR_RESOURCES_EXHAUSTED,
        message: "The process has no file descriptor left. Close files, or raise 'ulimit -n'.")

    static let noThread = Self(
        status: AS_ERROR_RESOURCES_EXHAUSTED,
        message: "The system gives this process no more threads. End threads, or raise 'ulimit -u'.")

    init(status: as_status, osStatus: Int32 = 0, message: String) {
        self.status = status
        self.osStatus = osStatus
        self.message = message
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as AudioSessionError:
            self.init(
                status: Self.statuses[error.code] ?? AS_ERROR_UNSPECIFIED, osStatus: error.code.status ?? 0,
                message: error.message)
        default: self.init(status: AS_ERROR_UNSPECIFIED, message: "\(error)")
        }
    }

    /// The status of each code.
    static let statuses: [AudioSessionError.Code: as_status] = [
        .badParam: AS_ERROR_BAD_PARAM,
        .mediaServicesFailed: AS_ERROR_MEDIA_SERVICES_FAILED,
        .isBusy: AS_ERROR_IS_BUSY,
        .incompatibleCategory: AS_ERROR_INCOMPATIBLE_CATEGORY,
        .cannotInterruptOthers: AS_ERROR_CANNOT_INTERRUPT_OTHERS,
        .insufficientPriority: AS_ERROR_INSUFFICIENT_PRIORITY,
        .resourceNotAvailable: AS_ERROR_RESOURCE_NOT_AVAILABLE,
        .expiredSession: AS_ERROR_EXPIRED_SESSION,
        .sessionNotActive: AS_ERROR_SESSION_NOT_ACTIVE,
        .unspecified: AS_ERROR_UNSPECIFIED,
        .timedOut: AS_ERROR_TIMED_OUT,
        .closed: AS_ERROR_CLOSED,
        .resourcesExhausted: AS_ERROR_RESOURCES_EXHAUSTED,
        .notPermitted: AS_ERROR_NOT_PERMITTED,
        .forked: AS_ERROR_FORKED,
        .fileNotFound: AS_ERROR_FILE_NOT_FOUND,
        .permissionDenied: AS_ERROR_PERMISSION_DENIED,
        .notAFile: AS_ERROR_NOT_A_FILE,
        .unsupportedFormat: AS_ERROR_UNSUPPORTED_FORMAT,
        .unsupportedRecordingFormat: AS_ERROR_UNSUPPORTED_RECORDING_FORMAT,
        .unreadable: AS_ERROR_UNREADABLE,
        .cannotSeek: AS_ERROR_CANNOT_SEEK,
        .cannotWrite: AS_ERROR_CANNOT_WRITE,
        .nothingLoaded: AS_ERROR_NOTHING_LOADED,
        .noSuchItem: AS_ERROR_NO_SUCH_ITEM,
        .tooManyItems: AS_ERROR_TOO_MANY_ITEMS,
        .alreadyRecording: AS_ERROR_ALREADY_RECORDING,
        .notPaused: AS_ERROR_NOT_PAUSED,
        .noOutput: AS_ERROR_NO_OUTPUT,
        .outputFailed: AS_ERROR_OUTPUT_FAILED,
        .noMicrophone: AS_ERROR_NO_MICROPHONE,
        .inputFailed: AS_ERROR_INPUT_FAILED,
        .stopped: AS_ERROR_STOPPED,
        .cancelled: AS_ERROR_CANCELLED,
        .echoCancellerMissing: AS_ERROR_ECHO_CANCELLER_MISSING,
    ]
}

/// Runs the body of a C function, and returns its status.
/// - Parameter error: filled in if the caller passed one.
func answer(_ error: UnsafeMutablePointer<as_error>? = nil, _ body: () throws -> Void) -> as_status {
    do {
        try checkSize(error)
    } catch {
        // A struct of unknown size is not written to.
        return error.status
    }
    do {
        // Before anything that another thread may have locked when the process was forked.
        guard !PipeWireLibrary.isForked else { throw AudioSessionError.forked }
        try body()
        error?.fill(AS_OK, 0, "")
        return AS_OK
    } catch let thrown {
        let failure = Failure(thrown)
        error?.fill(failure.status, failure.osStatus, failure.message)
        return failure.status
    }
}

extension UnsafeMutablePointer<as_error> {
    fileprivate func fill(_ status: as_status, _ osStatus: Int32, _ message: String) {
        pointee.status = status
        pointee.os_status = osStatus
        withUnsafeMutableBytes(of: &pointee.message) { buffer in
            var text = Substring(message)
            while text.utf8.count >= buffer.count { text.removeLast() }
            let length = text.utf8.count
            buffer.copyBytes(from: text.utf8)
            buffer[length] = 0
        }
    }
}
