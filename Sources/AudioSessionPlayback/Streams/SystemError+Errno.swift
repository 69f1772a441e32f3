import AudioSessionCore
import Glibc

extension SystemError {
    init(errno code: Int32) { self.init(code: code, message: String(cString: strerror(code))) }
}
