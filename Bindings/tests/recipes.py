"""The recipes of Docs/Integrating.md are those of Bindings/recipes, whose programs run beside a listener.

BINDINGS_RECIPES is the folder of the compiled ones. One that is missing there is reported as SKIPPED. BINDINGS_TOOL is the
audiosession tool, BINDINGS_CARD the command of a virtual card.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from programs import Program, wait_until, write_tone

HERE = os.path.dirname(os.path.abspath(__file__))
RECIPES = os.path.join(HERE, "..", "recipes")
PAGE = os.path.join(HERE, "..", "..", "Docs", "Integrating.md")
ASSISTANT = os.path.join(HERE, "..", "python", "examples", "voice_assistant.py")
LISTENER = os.path.join(HERE, "..", "python", "examples", "listener.py")
# For the shortest of three times. A busy computer delays single ones; what the assistant itself waits for is in each.
PROMPT_LIMIT = 0.1


def recipe(file: str) -> str:
    """The lines of the recipe, between the marks in the file."""
    with open(os.path.join(RECIPES, file), encoding="utf-8") as text:
        match = re.search(r"^(?:#|//|/\*) recipe(?: \*/)?\n(.*?)^(?:#|//|/\*) end", text.read(), re.MULTILINE | re.DOTALL)
    assert match, f"{file} has no recipe"
    return match[1]


class Page(unittest.TestCase):
    def test_each_recipe_is_that_of_its_file_and_short(self) -> None:
        with open(PAGE, encoding="utf-8") as page:
            shown = re.findall(r"^```\w+ recipe\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
        files = sorted(name for name in os.listdir(RECIPES) if "." in name)
        self.assertEqual(sorted(shown), sorted(map(recipe, files)))
        for file in files:
            lines = [line for line in recipe(file).splitlines() if line.strip()]
            self.assertLessEqual(len(lines), 15, file)


class Runs(unittest.TestCase):
    def setUp(self) -> None:
        self.music = self.program("music", [sys.executable, LISTENER, "music"])
        self.music.hear("ready")
        self.music.send("activate")
        self.music.hear("done")

    def program(self, name: str, command: list[str]) -> Program:
        program = Program(name, command)
        self.addCleanup(program.kill)
        return program

    def compiled(self, name: str) -> Program:
        path = os.path.join(os.environ["BINDINGS_RECIPES"], name)
        if not os.path.exists(path):
            self.skip(f"{name} was not compiled")
        return self.program(name, [path])

    def skip(self, reason: str) -> None:
        print(f"SKIPPED {reason}")
        self.skipTest(reason)

    def python(self, name: str) -> Program:
        return self.program(name, [sys.executable, os.path.join(RECIPES, name)])

    def test_a_voice_assistant_ducks_while_it_answers(self) -> None:
        assistant = self.python("voice_assistant.py")
        assistant.hear("speaks: the question is answered")
        self.music.hear("gain 0.20")
        assistant.send("")
        self.music.hear("gain 1.00")
        self.assertEqual(assistant.end(), 0)

    def test_a_screen_reader_ducks_once_for_all_sentences(self) -> None:
        reader = self.python("screen_reader.py")
        for sentence in ("one", "two", "three"):
            reader.hear(f"says: {sentence}")
            self.assertFalse(self.music.said("gain 1.00"))
            reader.send("")
        self.music.hear("gain 1.00")
        self.assertEqual(reader.end(), 0)

    def test_dictation_ducks_while_it_listens(self) -> None:
        dictation = self.compiled("dictation")
        dictation.hear("listening")
        self.music.hear("gain 0.20")
        dictation.send("words")
        self.assertEqual(dictation.end(), 0)
        dictation.hear("wrote: words")
        self.music.hear("gain 1.00")

    def test_a_call_pauses_music_until_it_ends(self) -> None:
        call = self.compiled("call")
        call.hear("calling")
        self.music.hear("interrupted by")
        call.send("")
        self.music.hear("may resume")
        self.assertEqual(call.end(), 0)

    def test_a_main_loop_reads_the_events_of_its_session(self) -> None:
        film = self.compiled("main_loop")
        film.hear("ready")
        self.music.hear("interrupted by")
        self.music.send("activate")
        film.hear("pauses")
        self.music.send("deactivate")
        film.hear("resumes")
        self.assertEqual(film.end(), 0)

    def test_a_game_leaves_its_music_out_while_others_play(self) -> None:
        self.music.send("deactivate")
        self.music.hear("done")
        game = self.compiled("game")
        game.hear("music on")
        player = self.program("player", [os.environ["BINDINGS_TOOL"], "run"])
        player.hear("ready")
        player.send("play tone")
        player.hear('"reply":"play","ok":true')

        def is_music_off() -> bool:
            game.send("")
            return game.hear("music o")[1] == "music off"

        # The game reads the tokens, which arrive after the player's own reply.
        wait_until(is_music_off, "the game reads other audio while the player plays")
        self.assertEqual(game.end(), 0)

    def plug_in_a_card(self) -> None:
        """Sound is played only where there is an output."""
        card = self.program("card", shlex.split(os.environ["BINDINGS_CARD"]))
        card.hear('"event":"ready"')

    def test_a_game_loop_plays_what_it_mixes(self) -> None:
        self.plug_in_a_card()
        game = self.compiled("game_loop")
        game.hear("ready")

        def has_played() -> bool:
            game.send("")
            return int(game.hear("played ")[1].split()[1]) > 4_800

        wait_until(has_played, "the output plays")
        self.assertEqual(game.end(), 0)

    def test_rendered_speech_ducks_while_it_is_said(self) -> None:
        self.plug_in_a_card()
        speech = self.python("speech.py")
        speech.hear("ready")
        for place in (1, 2):
            begin = time.monotonic()
            speech.send("")
            self.music.hear("gain 0.20")
            # Half a second is not said sooner, but for what the last cycle takes at once.
            said, line = speech.hear("said ")
            self.assertGreaterEqual(int(line.split()[1]), place * 12_000)
            self.assertGreater(said - begin, 0.3)
            self.music.hear("gain 1.00")
        self.assertEqual(speech.end(), 0)

    def test_an_announcement_ducks_while_it_is_made(self) -> None:
        tool = os.environ["BINDINGS_TOOL"]
        usage = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
        if not re.search(r"^ +with\b", usage, re.MULTILINE):
            self.skip("the announcement: this audiosession has no command 'with'")
        with tempfile.TemporaryDirectory() as folder:
            speaker = os.path.join(folder, "espeak-ng")
            with open(speaker, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\necho "says: $1"\nread line\n')
            os.chmod(speaker, 0o755)
            path = os.pathsep.join([folder, os.path.dirname(tool), os.environ["PATH"]])
            script = self.program(
                "announcement", ["env", f"PATH={path}", "sh", os.path.join(RECIPES, "announcement.sh")])
            script.hear("says: Dinner is ready.")
            self.music.hear("gain 0.20")
            script.send("")
            self.music.hear("gain 1.00")
            self.assertEqual(script.end(), 0)

    def test_the_voice_assistant_of_the_examples(self) -> None:
        with open(ASSISTANT, encoding="utf-8") as file:
            self.assertLess(len(file.readlines()), 60)
        with tempfile.TemporaryDirectory() as folder:
            microphone = os.path.join(folder, "microphone")
            os.mkfifo(microphone)
            speak = ["sh", "-c", 'echo "says: $1"; sleep 0.3', "speak"]
            assistant = self.program("assistant", [sys.executable, ASSISTANT, microphone, *speak])
            assistant.hear("listening")
            with open(microphone, "w", encoding="utf-8") as voice:
                times = []
                for _ in range(3):
                    # Other words than the wake word have no effect.
                    print("turn on the lights", file=voice, flush=True)
                    spoken = time.monotonic()
                    print("computer, what time is it?", file=voice, flush=True)
                    ducked = self.music.hear("gain 0.20")[0]
                    assistant.hear("says: It is")
                    self.music.hear("gain 1.00")
                    times.append(ducked - spoken)
                self.assertLess(min(times), PROMPT_LIMIT, times)
            self.assertEqual(assistant.end(), 0)

    def test_the_voice_assistant_ducks_a_player_without_a_session(self) -> None:
        if not shutil.which("mpv"):
            self.skip("mpv: it is missing")
        self.plug_in_a_card()
        with tempfile.TemporaryDirectory() as folder:
            song, microphone = (os.path.join(folder, name) for name in ("song.wav", "microphone"))
            write_tone(song, 60)
            os.mkfifo(microphone)
            self.program("mpv", ["mpv", "--no-config", "--really-quiet", "--no-video", "--ao=pipewire", song])
            why = [os.environ["BINDINGS_TOOL"], "why"]
            wait_until(lambda: "mpv" in subprocess.run(why, capture_output=True, text=True).stdout, "mpv has a stream")
            # Only the volumes of mpv's stream change.
            volumes = self.program("pw-dump", ["stdbuf", "-oL", "pw-dump", "--monitor"])
            volumes.hear('"softVolumes": [ 1.0')
            # Long enough for pw-dump, which prints the state of now and not each one that there was.
            assistant = self.program("assistant", [sys.executable, ASSISTANT, microphone, "sh", "-c", "sleep 1"])
            assistant.hear("listening")
            with open(microphone, "w", encoding="utf-8") as voice:
                times = []
                for _ in range(3):
                    spoken = time.monotonic()
                    print("computer, what time is it?", file=voice, flush=True)
                    ducked = volumes.hear('"softVolumes": [ 0.2')[0]
                    volumes.hear('"softVolumes": [ 1.0')
                    times.append(ducked - spoken)
                self.assertLess(min(times), PROMPT_LIMIT, times)
            self.assertEqual(assistant.end(), 0)


if __name__ == "__main__":
    unittest.main()
