import AudioSessionCore

extension AudioSessionError {
    static let interrupted = AudioSessionError(
        .sessionNotActive,
        "Another session interrupts this one, so nothing is recorded. Record again after the interruption, or "
            + "activate the session to end it.")
    static let noMicrophone = AudioSessionError(
        .noMicrophone, "No input is available. Connect a microphone, or select a card profile that has one.")
    static let recorderNotConnected = AudioSessionError(
        .mediaServicesFailed,
        "There is no connection to PipeWire, so nothing can be recorded. "
            + "Record again when the audio session manager is connected.")
    static let silentInput = AudioSessionError(
        .inputFailed,
        "The microphone is connected, but delivers no sound. Check its device, then record again.")
}
