public import AudioSessionCore

/// The failures of files, players, recorders, outputs and inputs. They also throw the errors of
/// their session, unchanged.
extension AudioSessionError.Code {
    /// No file exists at the path.
    public static let fileNotFound = Self("fileNotFound")
    /// The file exists, but the program has no permission to read it.
    public static let permissionDenied = Self("permissionDenied")
    /// The path names a directory, a pipe, a socket or a device.
    public static let notAFile = Self("notAFile")
    /// The file's format is unknown or has more than 8 channels, or no stream has the format of an
    /// output.
    public static let unsupportedFormat = Self("unsupportedFormat")
    /// No file or stream can record this sample rate, or this number of channels or bits.
    public static let unsupportedRecordingFormat = Self("unsupportedRecordingFormat")
    /// The file is of a known format but damaged, or the medium failed.
    public static let unreadable = Self("unreadable")
    /// The file's format does not allow seeking.
    public static let cannotSeek = Self("cannotSeek")
    /// The file cannot be created or written: the folder is missing, the permission is missing, or
    /// the disk is full.
    public static let cannotWrite = Self("cannotWrite")
    /// The player's queue is empty.
    public static let nothingLoaded = Self("nothingLoaded")
    /// The player's queue has no item with that index.
    public static let noSuchItem = Self("noSuchItem")
    /// The queue would exceed ``AudioPlayer/maximumQueueLength``.
    public static let tooManyItems = Self("tooManyItems")
    /// A recording is in progress.
    public static let alreadyRecording = Self("alreadyRecording")
    /// There is no paused recording.
    public static let notPaused = Self("notPaused")
    /// PipeWire has no output. The player waits, and is heard when an output appears.
    public static let noOutput = Self("noOutput")
    /// The stream of a player or an output failed, although PipeWire is connected.
    public static let outputFailed = Self("outputFailed")
    /// PipeWire's plugin that cancels an echo is not installed.
    public static let echoCancellerMissing = Self("echoCancellerMissing")
    /// The computer has no input.
    public static let noMicrophone = Self("noMicrophone")
    /// The stream of a recorder or an input receives no sound, although PipeWire is connected.
    public static let inputFailed = Self("inputFailed")
    /// The output is stopped, so nothing can be written to it.
    public static let stopped = Self("stopped")
    /// The task that wrote to the output was cancelled.
    public static let cancelled = Self("cancelled")
}
