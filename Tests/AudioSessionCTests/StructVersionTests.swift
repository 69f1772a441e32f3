import AudioSessions
import CAudioSession
import Testing

@testable import AudioSessionC

/// Programs that were compiled with an older header.
@Suite struct StructVersionTests {
    /// What lies behind the struct of such a program is not its own.
    @Test func membersBeyondTheCallersSizeAreNotRead() throws {
        var options = as_manager_options()
        options.keeps_thread_priority = true
        options.timeout = 1500
        options.size = 32
        let old = try AudioSessionManager.Configuration(&options)
        #expect(old.timeout == .milliseconds(1500))
        #expect(old.raisesThreadPriority)
        options.size = 40
        #expect(try !AudioSessionManager.Configuration(&options).raisesThreadPriority)
        options.size = 400
        #expect(try !AudioSessionManager.Configuration(&options).raisesThreadPriority)
        options.size = 31
        #expect(throws: Failure.self) { try AudioSessionManager.Configuration(&options) }
        #expect(try AudioSessionManager.Configuration(nil as UnsafePointer<as_manager_options>?).raisesThreadPriority)
    }
}
