"""A media player without a session is paused and resumed by way of the C library, with the unmanaged audio of Python.

BINDINGS_TOOL is the audiosession tool, BINDINGS_CARD the command of a virtual card. Needs mpv with its MPRIS plug-in;
otherwise SKIPPED is printed. Runs on a session bus of its own (dbus-run-session).
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from audiosession import Manager, Session, UnmanagedAudio, UnmanagedEventType

from programs import LIMIT, Program, wait_until, write_tone

PLUGIN = "/usr/lib/mpv-mpris/mpris.so"


def busctl(*arguments: str) -> str:
    return subprocess.run(["busctl", "--user", *arguments], capture_output=True, text=True, timeout=LIMIT).stdout


def status() -> str:
    """The playback status of mpv; empty while it is not on the bus."""
    name = re.search(r"org\.mpris\.MediaPlayer2\.mpv\S*", busctl("list"))
    if not name:
        return ""
    place = (name[0], "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", "PlaybackStatus")
    return busctl("get-property", *place).strip().removeprefix('s "').removesuffix('"')


class Players(unittest.TestCase):
    def setUp(self) -> None:
        if not shutil.which("mpv") or not os.path.exists(PLUGIN):
            print("SKIPPED the media player: mpv or mpv-mpris is missing")
            self.skipTest("no mpv")
        card = self.program("card", shlex.split(os.environ["BINDINGS_CARD"]))
        card.hear('"event":"ready"')
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        song = os.path.join(folder.name, "song.wav")
        write_tone(song, 60)
        self.program("mpv", [
            "mpv", "--no-config", "--really-quiet", "--no-video", "--ao=pipewire", f"--script={PLUGIN}", song])
        wait_until(lambda: status() == "Playing", "mpv plays")
        # A player is paused only while its program has a running stream.
        why = [os.environ["BINDINGS_TOOL"], "why"]
        wait_until(lambda: "mpv" in subprocess.run(why, capture_output=True, text=True).stdout, "mpv has a stream")

    def program(self, name: str, command: "list[str]") -> Program:
        program = Program(name, command)
        self.addCleanup(program.kill)
        return program

    def test_a_session_pauses_a_player_and_resumes_it(self) -> None:
        session = Session(manager=Manager("Call"))
        with UnmanagedAudio(session) as unmanaged:
            events = unmanaged.events()
            for _ in range(3):
                session.activate()
                wait_until(lambda: status() == "Paused", "mpv is paused")
                self.assertEqual(events.get(LIMIT).type, UnmanagedEventType.PAUSED)
                session.deactivate()
                wait_until(lambda: status() == "Playing", "mpv plays again")
                self.assertEqual(events.get(LIMIT).type, UnmanagedEventType.RESUMED)


if __name__ == "__main__":
    unittest.main()
