import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

/// `audiosession with` at a terminal, with a shell that has job control. It needs no PipeWire.
@Suite(.timeLimit(.minutes(10))) struct JobControlTests {
    private static let programs = ["/usr/bin/python3", "/bin/bash"]

    /// Types into a shell at a private terminal, and waits for output. Typed text is echoed too, so
    /// it must differ from the awaited text.
    private static let conversation = #"""
        import os, pty, select, sys, time
        process, terminal = pty.fork()
        if process == 0:
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        text = b""
        def expect(wanted):
            global text
            end = time.time() + 30
            while wanted not in text:
                if time.time() > end:
                    sys.exit("no %r in %r" % (wanted, text))
                if select.select([terminal], [], [], 0.1)[0]:
                    text += os.read(terminal, 4096)
            text = text[text.index(wanted) + len(wanted):]
        def type(keys): os.write(terminal, keys)
        command = sys.argv[1].encode() + b" with -- "
        type(b"PS1='pro''mpt> '\n")
        expect(b"prompt> ")
        type(command + b"sh -c 'echo st''arted; exec cat'\n")
        expect(b"started")
        type(b"one\n")
        expect(b"one\r\none")
        type(b"\x1a")
        expect(b"Stopped")
        expect(b"prompt> ")
        type(b"echo sh''ell\n")
        expect(b"shell")
        type(b"fg\n")
        expect(b"cat'")
        type(b"two\n")
        expect(b"two\r\ntwo")
        type(b"\x03")
        # What is typed before the shell reads again may be lost.
        expect(b"prompt> ")
        type(b"echo co''de $?\n")
        expect(b"code 130")
        type(command + b"sh -c 'read x; echo go''t $x' &\n")
        type(b"while ! jobs | grep -q Stop; do sleep 0.1; done; echo wai''ting\n")
        expect(b"waiting")
        type(b"fg\n")
        expect(b"$x'")
        type(b"three\n")
        expect(b"got three")
        expect(b"prompt> ")
        # A job in the background may now not write, but the tool writes its warning even so.
        type(b"stty tostop\n")
        expect(b"prompt> ")
        type(command + b"true &\n")
        expect(b"PipeWire is not running")
        type(b"exit\n")
        """#

    @Test(.enabled(if: programs.allSatisfy { FileManager.default.fileExists(atPath: $0) }, "needs python3 and bash"))
    func theKeysOfTheTerminalReachTheCommandAndAStoppedJobContinues() async throws {
        let run = try await ToolRun(
            URL(filePath: Self.programs[0]), arguments: ["-c", Self.conversation, ToolRun.executable.path],
            environment: [
                "PIPEWIRE_REMOTE": "/nonexistent/pipewire-0", "LC_ALL": "C", "TERM": "dumb",
            ])
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}
