"""Programs in all languages of BINDINGS_PROGRAMS interrupt one another in turn. Needs a PipeWire.

BINDINGS_PROGRAMS has a line for each: its name, a tab, its command. Swift's is `audiosession run`.
"""

import os
import shlex
import unittest

from programs import Program


class Listener:
    """A program in any language that executes activate, deactivate and silently."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self.is_tool = command.endswith(" run")
        self.shown = "audiosession" if self.is_tool else name
        self._program = Program(name, shlex.split(command) + ([] if self.is_tool else [name]))
        self._program.hear("ready")
        if self.is_tool:
            self._program.send("category playback")

    def tell(self, command: str) -> None:
        if self.is_tool:
            command = "deactivate silent" if command == "silently" else command
            self._program.send(command)
            self._program.hear(f'"reply":"{command.split()[0]}","ok":true')
        else:
            self._program.send(command)
            self._program.hear("done")

    def hear_interruption(self, peer: str) -> None:
        if self.is_tool:
            line = self._program.hear('"event":"interruptionBegan"')[1]
            if f'"application":"{peer}"' not in line:
                raise AssertionError(f"{self.name} was not interrupted by {peer}: {line}")
        else:
            self._program.hear(f"interrupted by {peer}")

    def hear_advice(self, should_resume: bool) -> None:
        if self.is_tool:
            line = self._program.hear('"event":"interruptionEnded"')[1]
            if f'"shouldResume":{str(should_resume).lower()}' not in line:
                raise AssertionError(f"{self.name} had other advice: {line}")
        else:
            self._program.hear("may resume" if should_resume else "stays silent")

    def end(self) -> int:
        return self._program.end()

    def kill(self) -> None:
        self._program.kill()


class Turns(unittest.TestCase):
    def setUp(self) -> None:
        self.listeners = []
        for line in os.environ["BINDINGS_PROGRAMS"].splitlines():
            name, command = line.split("\t")
            self.listeners.append(Listener(name, command))
            self.addCleanup(self.listeners[-1].kill)

    def test_each_interrupts_the_one_before(self) -> None:
        first = self.listeners[0]
        first.tell("activate")
        for before, listener in zip(self.listeners, self.listeners[1:]):
            listener.tell("activate")
            before.hear_interruption(listener.shown)
        # The first takes back, and interrupts the last.
        first.tell("activate")
        self.listeners[-1].hear_interruption(first.shown)
        # Back through the stack, each with the advice of the one above it.
        first.tell("deactivate")
        self.listeners[-1].hear_advice(True)
        for listener, before in zip(self.listeners[:1:-1], self.listeners[-2:0:-1]):
            listener.tell("activate")
            silently = before is self.listeners[1]
            listener.tell("silently" if silently else "deactivate")
            before.hear_advice(not silently)
        for listener in self.listeners:
            self.assertEqual(listener.end(), 0, listener.name)

    def test_a_killed_program_gives_way(self) -> None:
        first, *others = self.listeners
        for other in others:
            first.tell("activate")
            other.tell("activate")
            first.hear_interruption(other.shown)
            other.kill()
            # Killed playback leaves without notify.
            first.hear_advice(False)
            first.tell("deactivate")


if __name__ == "__main__":
    unittest.main()
