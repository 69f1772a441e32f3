"""Outputs and players of C++ and Rust play, and an interruption by another session pauses them.

BINDINGS_STREAMS has a line for each compiled program: its name such as tone.cpp, a tab, its path. BINDINGS_CARD is the command
of a virtual card.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any

from programs import LIMIT, Program, graph, wait_until, write_tone

LISTENER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "examples", "listener.py")
LANGUAGES = {"cpp": "C++", "rs": "Rust"}
SECONDS = 20


def plays(objects: list[dict[str, Any]], program: str) -> bool:
    """Whether the program's stream runs, and all of its links to a sink carry sound."""
    def of(kind: str) -> list[dict[str, Any]]:
        return [one for one in objects if one["type"] == f"PipeWire:Interface:{kind}"]

    sinks = [one["id"] for one in of("Node") if one["info"]["props"].get("media.class") == "Audio/Sink"]
    for node in of("Node"):
        properties = node["info"]["props"]
        if properties.get("application.name") != program or properties.get("media.class") != "Stream/Output/Audio":
            continue
        states = [link["info"]["state"] for link in of("Link")
                  if link["info"]["output-node-id"] == node["id"] and link["info"]["input-node-id"] in sinks]
        return node["info"]["state"] == "running" and states != [] and set(states) == {"active"}
    return False


class Streams(unittest.TestCase):
    programs: dict[str, str]
    languages: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.programs = dict(line.split("\t") for line in os.environ["BINDINGS_STREAMS"].splitlines())
        cls.languages = {suffix: name for suffix, name in LANGUAGES.items() if f"tone.{suffix}" in cls.programs}
        card = Program("card", shlex.split(os.environ["BINDINGS_CARD"]))
        cls.addClassCleanup(card.kill)
        card.hear('"event":"ready"')

    def start(self, name: str, command: list[str]) -> Program:
        program = Program(name, command)
        self.addCleanup(program.kill)
        return program

    def await_graph(self, program: str, is_playing: bool) -> None:
        wait_until(lambda: plays(graph(), program) == is_playing, f"{program} plays: {is_playing}")

    def await_progress(self, tone: Program, since: int) -> int:
        """Waits until more frames were played, and returns how many."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            tone.send("")
            position = int(tone.hear("played ")[1].split()[1])
            if position > since:
                return position
        self.fail(f"the output played no more than {since} frames")

    def interrupt(self, program: Program) -> Program:
        """Lets another session interrupt a program that plays."""
        call = self.start("call", [sys.executable, LISTENER, "call"])
        call.hear("ready")
        call.send("activate")
        call.hear("done")
        program.hear("paused: interrupted")
        self.await_graph(program.name, False)
        return call

    def test_a_tone_is_paused_by_an_interruption_and_continues(self) -> None:
        for suffix, language in self.languages.items():
            with self.subTest(language):
                tone = self.start(language, [self.programs[f"tone.{suffix}"], language])
                tone.hear("plays")
                self.await_graph(language, True)
                self.await_progress(tone, since=self.await_progress(tone, since=0))
                call = self.interrupt(tone)
                tone.send("")
                paused = tone.hear("played ")[1]
                tone.send("")
                self.assertEqual(tone.hear("played ")[1], paused)
                call.send("deactivate")
                call.hear("done")
                tone.hear("plays")
                self.await_graph(language, True)
                self.await_progress(tone, since=int(paused.split()[1]))
                self.assertEqual(tone.end(), 0)
                self.assertEqual(call.end(), 0)

    def test_a_tone_that_is_interrupted_can_end(self) -> None:
        for suffix, language in self.languages.items():
            with self.subTest(language):
                tone = self.start(language, [self.programs[f"tone.{suffix}"], language])
                tone.hear("plays")
                call = self.interrupt(tone)
                # A write waits for the end of the interruption.
                self.assertEqual(tone.end(), 0)
                self.assertEqual(call.end(), 0)

    def test_a_file_is_paused_by_an_interruption_and_continues(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tone.wav")
            write_tone(path, SECONDS)
            for suffix, language in self.languages.items():
                with self.subTest(language):
                    player = self.start(language, [self.programs[f"player.{suffix}"], language, path])
                    player.hear(f"tone.wav: {SECONDS} s")
                    player.hear("plays")
                    self.await_graph(language, True)
                    call = self.interrupt(player)
                    call.send("deactivate")
                    call.hear("done")
                    player.hear("plays")
                    self.await_graph(language, True)
                    player.send(str(SECONDS - 1))
                    player.hear(f"at {SECONDS - 1} s")
                    player.hear("finished")
                    self.assertEqual(player.end(), 0)
                    self.assertEqual(call.end(), 0)

    def test_a_file_that_is_missing_is_an_error(self) -> None:
        for suffix, language in self.languages.items():
            with self.subTest(language):
                player = subprocess.run(
                    [self.programs[f"player.{suffix}"], language, "/nonexistent.wav"], capture_output=True, text=True,
                    stdin=subprocess.DEVNULL, timeout=LIMIT)
                self.assertEqual(player.returncode, 1)
                self.assertIn("/nonexistent.wav", player.stderr)

    def test_each_call_has_its_effect(self) -> None:
        for suffix, language in self.languages.items():
            with self.subTest(language), tempfile.TemporaryDirectory() as folder:
                result = subprocess.run(
                    [self.programs[f"streams.{suffix}"], folder], capture_output=True, text=True, timeout=6 * LIMIT)
                self.assertEqual((result.returncode, result.stdout), (0, "passed\n"), result.stderr)


if __name__ == "__main__":
    unittest.main()
