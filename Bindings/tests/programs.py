"""Programs that tests control line by line, and what else several tests need."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import wave
from typing import Any, Callable

# It only ends a test that fails.
LIMIT = 60


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Polls a condition that no line of a program announces."""
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() >= deadline:
            raise AssertionError(f"not within {LIMIT} s: {what}")
        time.sleep(0.02)


def write_tone(path: str, seconds: float) -> None:
    """A WAV file with a square wave of 400 Hz."""
    period = b"".join(level.to_bytes(2, "little", signed=True) for level in [4_000] * 60 + [-4_000] * 60)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(period * round(400 * seconds))


def graph() -> list[dict[str, Any]]:
    """PipeWire's objects. pw-dump prints a list for each change while it reads; the last state of an object counts."""
    text = subprocess.run(["pw-dump"], capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    decoder, objects, place = json.JSONDecoder(), {}, 0
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        found, place = decoder.raw_decode(text, place)
        objects.update({one["id"]: one for one in found})
    return [one for one in objects.values() if one.get("info")]


class Program:
    """A program whose output is read as it is written. Waiting for a line has a limit."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self._lines: list[tuple[float, str]] = []
        self._read = 0
        self._changed = threading.Condition()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            with self._changed:
                self._lines.append((time.monotonic(), line.rstrip("\n")))
                self._changed.notify_all()

    def send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self, text: str) -> tuple[float, str]:
        """Skips lines until one has this text, and returns its time."""
        deadline = time.monotonic() + LIMIT
        with self._changed:
            while True:
                while self._read < len(self._lines):
                    self._read += 1
                    if text in self._lines[self._read - 1][1]:
                        return self._lines[self._read - 1]
                if not self._changed.wait(deadline - time.monotonic()):
                    raise AssertionError(f"{self.name} did not print '{text}' in {LIMIT} s, but {self._lines}")

    def said(self, text: str) -> bool:
        with self._changed:
            return any(text in line for _, line in self._lines)

    def end(self) -> int:
        """Closes its input, and waits for its exit."""
        assert self._process.stdin
        self._process.stdin.close()
        return self._process.wait(LIMIT)

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
