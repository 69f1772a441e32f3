import AudioSessionCore

extension AudioSessionError {
    static let interrupted = AudioSessionError(
        .sessionNotActive,
        "Another session interrupts this one, so nothing is recorded. Record again after the interruption, or "
            + "activate the session to end it.")
    static let noMicrophone = AudioSessionError(
        .noMicrophone, "There is nothing to record from. Connect a microphone, or choose a card's profile with one.")
    static let recorderNotConnected = AudioSessionError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be recorded. "
            + "Record again when the audio session manager is connected.")
    static let silentInput = AudioSessionError(
        .inputFailed,
        "The microphone is there, but nothing comes from it any more. Look at its device, then record again.")
}
