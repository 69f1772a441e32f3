/// The result of a function of Core Audio.
public typealias OSStatus = Int32
/// The result of a function that succeeded.
public let noErr: OSStatus = 0

/// A number of a short sound.
public typealias SystemSoundID = UInt32
/// The vibration of a phone, which computers do not have.
public let kSystemSoundID_Vibrate: SystemSoundID = 0x0000_0FFF
/// The result for a sound that does not exist.
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500

/// Does nothing, because Linux has neither the sounds of iOS nor its vibration.
///
/// - Parameter inSystemSoundID: the number of a sound.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {}

/// Does nothing, because Linux has neither the sounds of iOS nor its vibration.
///
/// - Parameter inSystemSoundID: the number of a sound.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {}

/// Calls the handler at once, because no sound is played.
///
/// - Parameters:
///   - inSystemSoundID: the number of a sound.
///   - inCompletionBlock: called before the function returns.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
    inCompletionBlock?()
}

/// Calls the handler at once, because no sound is played.
///
/// - Parameters:
///   - inSystemSoundID: the number of a sound.
///   - inCompletionBlock: called before the function returns.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
    inCompletionBlock?()
}

/// Does nothing, because there is no sound with the number.
///
/// - Parameter inSystemSoundID: the number of a sound.
/// - Returns: `kAudioServicesSystemSoundUnspecifiedError`.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    kAudioServicesSystemSoundUnspecifiedError
}
