import BenchmarkSupport
import Testing

struct ProgramTests {
    @Test("A missing program is reported, and no other process ends")
    func missing() {
        let failure = #expect(throws: Program.Failure.self) { try Program("/nowhere/program", [], environment: [:]) }
        #expect(failure?.description == "/nowhere/program: No such file or directory")
    }

    @Test("A program's output is read line by line, and it ends with its input")
    func lines() throws {
        let program = try Program("/bin/cat", [], environment: [:])
        program.send("one")
        program.send("two")
        #expect(program.wait(for: "one"))
        #expect(program.nextLine(by: now() + 10_000_000_000) == "two")
        program.stop()
        #expect(!program.wait(for: "three"))
    }
}
