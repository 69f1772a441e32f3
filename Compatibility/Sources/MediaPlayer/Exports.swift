// As on iOS, programs that import only MediaPlayer configure the session.
@_exported public import AVFAudio
// As on iOS, one import provides URLs and numbers.
@_exported public import Foundation
