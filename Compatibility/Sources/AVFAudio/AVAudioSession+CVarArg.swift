import Foundation

/// The session can be an argument of `%@` in `NSLog` and `String(format:)`.
///
/// Foundation has this for all objects, on Apple's systems only.
extension AVAudioSession: _CVarArgObject {
    /// The session's description. On Linux, `%@` is only for objects of Foundation.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    /// The address of the session's description.
    public var _cVarArgEncoding: [Int] { NSString(string: description)._cVarArgEncoding }
}
