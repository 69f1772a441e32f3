import AudioSessionCore
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

@Suite struct ProgramTraceProcTests {
    @Test func aProcessHasItsParents() {
        let trace = ProgramTrace(process: Int(getpid()))
        #expect(trace.lineage.first == Int(getpid()))
        #expect(trace.lineage.contains(Int(getppid())) || getppid() <= 1)
        #expect(ProgramTrace(process: 0).lineage == [0])
    }

    @Test func onlyRegularFilesOfOtherProgramsAreReadUpToTheLimit() throws {
        let scratch = try Scratch()
        let file = try scratch.write(Array("instance-id=123\n".utf8), to: "file")
        #expect(ProgramFile.read(file) == "instance-id=123\n")
        #expect(ProgramFile.read(file, limit: 8) == "instance")
        let link = scratch.name("link")
        #expect(symlink(file, link) == 0)
        let pipe = scratch.name("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [link, pipe, scratch.path, "/dev/zero", scratch.path + "/none"] {
            #expect(ProgramFile.read(path) == nil, "\(path)")
        }
    }

    /// A file system in user space can block a reader.
    @Test func aFileThatBlocksIsWaitedForUpToTheLimit() async throws {
        let end = Semaphore()
        let reader = SandboxReader(limit: .milliseconds(50), path: { "\($0)" }) { path in
            if path != "1" { end.wait() }
            return "instance-id=" + path
        }
        // A new thread may begin after the limit.
        try await waitUntil("a file is read") { await reader.sandbox(of: 1)?.instance == "1" }
        for process in [2, 2, 3, 3] { #expect(await reader.sandbox(of: process) == nil) }
        try await waitUntil("others are read meanwhile") { await reader.sandbox(of: 1)?.instance == "1" }
        let traces = await reader.traces(of: Set((4...100).map { StreamProcess(id: $0, isVerified: true) }))
        #expect(traces.values.allSatisfy { $0.sandbox == nil })
        #expect(await reader.sandbox(of: 1) == nil, "no thread is left")
        for _ in 1...SandboxReader.threadLimit { end.signal() }
        try await waitUntil("the threads have ended") { await reader.sandbox(of: 1)?.instance == "1" }
    }

    /// The survey and the muter read the same program at the same time.
    @Test @MainActor func callersThatAskDuringAReadShareItsAnswer() async {
        let end = Semaphore()
        let reader = SandboxReader(limit: .seconds(20), path: { "\($0)" }) { path in
            end.wait()
            return "instance-id=" + path
        }
        // The tasks run on the main actor in this order, each until it waits.
        let first = Task { await reader.sandbox(of: 1) }
        let second = Task { await reader.sandbox(of: 1) }
        Task { end.signal() }
        #expect(await first.value?.instance == "1")
        #expect(await second.value?.instance == "1")
    }

    @Test func aSandboxIsIdentified() {
        typealias Sandbox = ProgramTrace.Sandbox
        let info = "[Application]\nname=org.x\nruntime=y\n[Instance]\nname=z\ninstance-id=123\n"
        #expect(Sandbox(info: info) == Sandbox(instance: "123", application: "org.x"))
        #expect(Sandbox(info: "[Application]\nname=org.x") == Sandbox(application: "org.x"))
        #expect(Sandbox(info: "[Runtime]\nname=org.x\ninstance-id=1") == Sandbox(instance: "1"))
        #expect(Sandbox(info: "[Application]\n") == nil)
    }

    /// pipewire-pulse names no process outside of the sandbox.
    @Test func theApplicationIsTheTraceOfAStreamWithoutAProcess() async {
        let reader = SandboxReader(path: { _ in "" }) { _ in nil }
        let process = StreamProcess(application: "org.x")
        let trace = ProgramTrace(lineage: [], sandbox: .init(application: "org.x"))
        #expect(await reader.traces(of: [process]) == [process: trace])
        #expect(ProgramTrace(process) == trace)
    }
}
