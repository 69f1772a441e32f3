"""What a program gets in a sandbox that has PulseAudio's socket and not PipeWire's, as many Flatpaks.

BINDINGS_TOOL is the audiosession tool. Needs bwrap, and a kernel that permits its namespaces; otherwise SKIPPED is printed.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

LIMIT = 30
SESSION = """
from audiosession import AudioSessionError, Session
try:
    Session().activate()
    print("active")
except AudioSessionError as error:
    print(error.status.name, error)
"""


class Sandbox(unittest.TestCase):
    def setUp(self) -> None:
        self.runtime = os.environ["XDG_RUNTIME_DIR"]
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "native")
        # pipewire-pulse only has to listen: the library does not use it.
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen()
        self.inside = [
            "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--die-with-parent",
            "--tmpfs", self.runtime, "--bind", path, os.path.join(self.runtime, "pulse", "native"),
            "--unsetenv", "PIPEWIRE_RUNTIME_DIR", "--unsetenv", "PIPEWIRE_REMOTE",
        ]
        if not shutil.which("bwrap") or subprocess.run([*self.inside, "true"], capture_output=True).returncode != 0:
            print("SKIPPED the sandbox: bwrap is missing or not permitted")
            self.skipTest("no bwrap")

    def tearDown(self) -> None:
        self.server.close()
        self.folder.cleanup()

    def run_inside(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*self.inside, *command], capture_output=True, text=True, timeout=LIMIT)

    def test_the_sandbox_has_one_socket(self) -> None:
        self.assertEqual(self.run_inside("test", "-S", os.path.join(self.runtime, "pulse", "native")).returncode, 0)
        self.assertEqual(self.run_inside("ls", self.runtime).stdout.split(), ["pulse"])

    def test_a_session_fails_at_once(self) -> None:
        result = self.run_inside(sys.executable, "-c", SESSION)
        self.assertEqual(result.stdout.split()[:1], ["MEDIA_SERVICES_FAILED"], result)

    def test_the_command_of_a_script_runs_with_a_warning(self) -> None:
        result = self.run_inside(os.environ["BINDINGS_TOOL"], "with", "--duck", "--", "echo", "spoken")
        self.assertEqual((result.returncode, result.stdout), (0, "spoken\n"), result)
        self.assertIn("PipeWire", result.stderr)
        result = self.run_inside(os.environ["BINDINGS_TOOL"], "with", "--require", "--duck", "--", "echo", "spoken")
        self.assertEqual((result.returncode, result.stdout), (69, ""), result)


if __name__ == "__main__":
    unittest.main()
