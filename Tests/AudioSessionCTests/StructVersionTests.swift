import AudioSessionCore
import AudioSessions
import CAudioSession
import Testing

@testable import AudioSessionC

/// Programs that were compiled with an older header.
@Suite struct StructVersionTests {
    /// The memory behind the struct of such a program is not its own.
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
        options.calls_handlers_in_dispatch = true
        #expect(try Dispatcher.asked(&options) == nil)
        options.size = 48
        #expect(try Dispatcher.asked(&options) != nil)
        options.size = 400
        #expect(try !AudioSessionManager.Configuration(&options).raisesThreadPriority)
        options.size = 31
        #expect(throws: Failure.self) { try AudioSessionManager.Configuration(&options) }
        #expect(try AudioSessionManager.Configuration(nil as UnsafePointer<as_manager_options>?).raisesThreadPriority)
    }

    /// The memory behind the struct of such a program is not written either.
    @Test func membersBeyondTheCallersSizeAreNotWritten() throws {
        let port = Port(PortDescription(type: .headphones, name: "Phones", uid: "uid", direction: .output))
        let value = try #require(port.pointer?.pointee)
        var old = as_port()
        old.size = 32
        try write(value, to: &old, first: 32)
        #expect(old.size == 32 && old.type == AS_PORT_HEADPHONES && String(cString: old.uid) == "uid")
        #expect(old.channels == nil && old.type_reason == nil)
        old.size = 31
        #expect(throws: Failure.self) { try write(value, to: &old, first: 32) }
        old.size = 800
        try write(value, to: &old, first: 32)
        #expect(old.size == 800 && old.channels != nil)
        withExtendedLifetime(port) {}
    }
}
