"""Does what each page of Docs promises in its first paragraph, with the code and the commands of the page.

    tasks.py write FOLDER  writes a package for each page with Swift, in a folder of its own
    tasks.py run [TEST...] runs the built programs, and the commands of the pages

Scripts/docs --only tasks does both. TASKS is FOLDER, TASKS_PROGRAMS the folder of the built programs, AUDIOSESSION the tool.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "Docs"
sys.path.insert(0, str(ROOT / "Bindings/tests"))

from programs import LIMIT, Program, graph, wait_until, write_tone  # noqa: E402

# Pages whose tasks other scripts do, from the pages themselves.
ELSEWHERE = {"FromC": "Scripts/test-install", "Integrating": "Bindings/tests/recipes.py"}
# Pages for reading only.
WITHOUT_COMMANDS = {"APIReview", "Glossary", "HowItWorks", "Protocol"}


def blocks(page: str, language: str) -> list[str]:
    """The visible blocks of code."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / f"{page}.md").read_text(), re.M | re.S)


def commands(page: str) -> list[str]:
    """The indented lines, which are commands of a shell."""
    text = re.sub(r"^```.*?^```$", "", (DOCS / f"{page}.md").read_text(), flags=re.M | re.S)
    return [block.replace("\n    ", "\n").strip() for block in re.findall(r"(?<=\n\n)((?:    .+\n)+)", text)]


def command(page: str, text: str) -> str:
    """The command of the page that has this text."""
    found = [each for each in commands(page) if text in each]
    assert len(found) == 1, f"{page}.md has {len(found)} commands with '{text}': {commands(page)}"
    return found[0]


# MARK: The packages

CONNECT = 'let manager = try await AudioSessionManager.connect(.init(applicationName: "{name}"))\n'
SESSION = CONNECT + "let session = try AudioSession(manager: manager, configuration: .init({category}))\n"
IMPORTS = "import AudioSessionDesktop\nimport AudioSessionPlayback\nimport AudioSessions\n"


def swift_programs() -> dict[str, str]:
    """The main.swift of each page's program: blocks of the page, and what its program has around them."""
    pages = ("Routes", "Numbers", "Desktop", "Troubleshooting", "ComingFromAVAudioSession")
    routes, numbers, desktop, trouble, apple = (blocks(page, "swift") for page in pages)
    return {
        "FirstSound": IMPORTS + blocks("FirstSound", "swift")[1],
        "Configuration": IMPORTS + blocks("Configuration", "swift")[0] + """
            for configuration in [music, prompts, call] { try configuration.validate() }
            do { try AudioSession.Configuration(.record, mode: .voicePrompt).validate() } catch { print("illegal: \\(error)") }
            """,
        "Sessions": IMPORTS + blocks("Sessions", "swift")[0],
        "Ducking": IMPORTS + blocks("Ducking", "swift")[0],
        "Routes": IMPORTS + SESSION.format(name="Picker", category=".playback") + """
            let player = AudioPlayer(session: session)
            """ + routes[0] + """
            try await player.load(["song.flac"])
            try await player.play()
            print("plays on \\(session.currentRoute.outputs.map(\\.type.rawValue)) of \\(outputs.count):", session.routeChoice.output!)
            for await case .routeChanged(let change) in session.events() { print("route:", change.current.outputs.map(\\.name)) }
            """,
        "Numbers": IMPORTS + SESSION.format(name="Mixer", category=".playback") + """
            struct Display {
                func show(_ level: Float, muted: Bool) { print("volume \\(level) \\(muted)") }
                func show(_ sampleRate: Int, _ latency: Duration) { print("rate \\(sampleRate)") }
            }
            let (slider, meter) = (Display(), Display())
            try await session.activate()
            """ + numbers[1] + 'print("ready")\n' + numbers[0],
        "Recording": IMPORTS + blocks("Recording", "swift")[0],
        "YourOwnSound": IMPORTS + "import CSynth\n" + re.sub(r"^try await output.start\(\)$", """
            let events = output.events()
            try await output.start()
            for await event in events { print(event) }
            """, blocks("YourOwnSound", "swift")[0].replace("synth,", "synth_make(),"), flags=re.M),
        "Desktop": IMPORTS + CONNECT.format(name="Tunes") + """
            let player = AudioPlayer(manager: manager)
            """ + desktop[0] + desktop[3] + desktop[1].split("let exceptions")[0] + """
            try await player.load(["song.flac"])
            let events = player.events()
            try await player.play()
            try await session.activate()
            for await case .stateChanged(let state, _) in events { print("state", state) }
            """,
        "Troubleshooting": IMPORTS + SESSION.format(name="Silent", category=".playback") + """
            let player = AudioPlayer(session: session)
            try await player.load(["song.flac"])
            try await player.play()
            for await case .silenceReasonsChanged in session.events() {
            """ + trouble[0] + "}\n",
        "ComingFromAVAudioSession": "import AVFAudio\nimport Foundation\n" + apple[1].replace(
            ".record, mode: .measurement, options: .duckOthers", ".playback") + """
            @MainActor final class Screen {
                func pause() { print("pause") }
                func observe() async {
            """ + apple[2] + """
                }
            }
            try configureSession()
            let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "song.flac"))
            player.play()
            print("plays on", AVAudioSession.sharedInstance().currentRoute.outputs.map(\\.portName))
            await Screen().observe()
            """,
    }


SYNTH = """
static float phase;
void *_Nonnull synth_make(void) { return &phase; }
void synth_free(void *_Nullable synth) { (void)synth; }
void synth_render(void *_Nullable synth, float *_Nonnull samples, uint32_t frames, uint32_t channels, uint32_t rate,
                  uint64_t time) {
    float *position = synth;
    (void)time;
    for (uint32_t i = 0; i < frames * channels; i++)
        samples[i] = *position += (i % channels ? 0 : 440.0f / rate) - (*position > 0.5f ? 1 : 0);
}
"""


def add_product(manifest: str, product: str) -> str:
    return manifest.replace(".product", f'.product(name: "{product}", package: "AudioSessions"),\n                .product', 1)


def write_package(folder: pathlib.Path, page: str, main: str) -> None:
    """The package of FirstSound.md under another name, with the products of the page."""
    manifest = blocks("FirstSound", "swift")[0].replace('"hello"', f'"{page}"')
    sources = folder / page / "Sources"
    sources.mkdir(parents=True)
    (sources / "main.swift").write_text(main)
    if page == "ComingFromAVAudioSession":
        manifest = "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
        manifest += blocks(page, "swift")[0].replace('"player"', f'"{page}"').replace(
            'condition: .when(platforms: [.linux]))\n            ])', 'condition: .when(platforms: [.linux]))\n            ], path: "Sources")')
    elif page == "YourOwnSound":
        synth = folder / page / "CSynth/include"
        synth.mkdir(parents=True)
        header = blocks(page, "c")[0] + "void *_Nonnull synth_make(void);\nvoid synth_free(void *_Nullable synth);\n"
        (synth / "CSynth.h").write_text("#pragma once\n" + header)
        (synth.parent / "synth.c").write_text('#include "include/CSynth.h"\n' + SYNTH)
        manifest = manifest.replace("targets: [", 'targets: [\n        .target(name: "CSynth", path: "CSynth"),').replace(
            "dependencies: [\n                .product", 'dependencies: [\n                "CSynth",\n                .product')
    if page != "ComingFromAVAudioSession":
        manifest = add_product(manifest, "AudioSessionDesktop")
    (folder / page / "Package.swift").write_text(manifest)


def write(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    # The pages are in the folder beside the packages.
    (folder / "AudioSessions").symlink_to(ROOT)
    for page, main in swift_programs().items():
        write_package(folder, page, main)
        if page == "ComingFromAVAudioSession":
            (folder / page / "AudioSessions").symlink_to(ROOT)
    testing = folder / "Testing"
    manifest = blocks("FirstSound", "swift")[0].replace('"hello"', '"Podcast"').replace(".executableTarget", ".testTarget")
    manifest = add_product(manifest, "AudioSessionTestKit").replace('name: "Podcast",\n            dep', 'name: "PodcastTests",\n            dep')
    (testing / "Sources").mkdir(parents=True)
    (testing / "Package.swift").write_text(manifest)
    for index, name in ((0, "PodcastTests"), (2, "SpeakersTests")):
        (testing / "Sources" / f"{name}.swift").write_text(blocks("Testing", "swift")[index])


# MARK: The tasks


class Pages(unittest.TestCase):
    """A test for each page, in an empty folder with two sound files, whose format players read from their content."""

    tool = os.environ.get("AUDIOSESSION", "audiosession")

    def setUp(self) -> None:
        self.folder = pathlib.Path(os.environ["TASKS"]) / "run" / self.id().split(".")[-1]
        self.folder.mkdir(parents=True)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        write_tone("song.flac", 60)
        write_tone("turn-left.flac", 0.5)

    def program(self, name: str, *command: str) -> Program:
        program = Program(name, list(command))
        self.addCleanup(program.kill)
        return program

    def of_page(self, page: str, *arguments: str) -> Program:
        # As on a terminal, each line is printed at once.
        return self.program(page, "stdbuf", "-oL", os.path.join(os.environ["TASKS_PROGRAMS"], page), *arguments)

    def card(self) -> Program:
        card = self.program("card", self.tool, "simulate", "card")
        card.hear('"event":"ready"')
        card.send("plug headphones")
        card.hear('"ok":true')
        wait_until(lambda: "Headphones" in self.run_tool("status"), "the card to have headphones")
        return card

    def run_tool(self, *arguments: str, status: int = 0) -> str:
        result = subprocess.run([self.tool, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, status, result)
        return result.stdout + result.stderr

    def simulate(self, *arguments: str) -> None:
        self.run_tool("simulate", *arguments)

    def bash(self, script: str) -> Program:
        path = os.pathsep.join([str(self.folder), os.path.dirname(self.tool), os.environ["PATH"]])
        return self.program("bash", "env", f"PATH={path}", "bash", "-c", script)

    def test_every_page_has_its_task(self) -> None:
        pages = {page.stem for page in DOCS.glob("*.md")}
        here = {name[len("test_"):] for name in dir(self) if name.startswith("test_") and name[len("test_"):] in pages}
        self.assertEqual(pages - here, set(ELSEWHERE) | WITHOUT_COMMANDS)
        for page, script in ELSEWHERE.items():
            self.assertIn(f"{page}.md", (ROOT / script).read_text())
        for page in WITHOUT_COMMANDS:
            self.assertEqual(commands(page) + blocks(page, "swift"), [], page)

    def test_FirstSound(self) -> None:
        card = self.card()
        hello = self.of_page("FirstSound", "song.flac")
        hello.hear('playing on ["Headphones"]')
        self.assertIn("hello", self.run_tool("why"))
        self.simulate("call", "--seconds", "1")
        hello.hear("paused: interrupted")
        hello.hear('playing on ["Headphones"]')
        self.simulate("prompt")
        card.send("unplug headphones")
        hello.hear("paused: routeLost")
        hello.hear('sound goes to ["Speakers"]')

    def test_Demo(self) -> None:
        self.assertIn("1. Headphones in a jack.", self.run_tool("demo"))

    def test_CommandLine(self) -> None:
        card = self.card()
        self.assertIn("Headphones", self.run_tool("status"))
        self.assertIn("headphones", self.run_tool("ports"))
        self.assertEqual(self.bash("pw-dump > dump.json").end(), 0)
        self.assertIn("headphones", self.run_tool("ports", "--dump", "dump.json"))
        self.assertIn("off", self.run_tool("silent"))
        monitor = self.program("monitor", self.tool, "monitor")
        monitor.hear("sound goes to Headphones")
        card.send("unplug headphones")
        monitor.hear("headphones unplugged: sound was on Headphones, now on Speakers")
        run = self.program("run", self.tool, "run")
        run.hear('"event":"ready"')
        run.send("activate")
        run.hear('"reply":"activate","ok":true')
        self.assertIn("audiosession", self.run_tool("why"))
        self.run_tool("status", "--remote", "nothing-is-there", status=69)
        self.run_tool("frobnicate", status=64)

    def test_Configuration(self) -> None:
        program = self.of_page("Configuration")
        program.hear("illegal: ")
        self.assertEqual(program.end(), 0)

    def test_Sessions(self) -> None:
        self.card()
        radio = self.of_page("Sessions")
        wait_until(lambda: "Radio" in self.run_tool("why"), "the radio to be active")
        self.simulate("call", "--seconds", "1")
        radio.hear("Interrupted by ")
        radio.hear("Resuming")

    def test_Ducking(self) -> None:
        self.card()
        music = self.program("music", self.tool, "run")
        music.hear('"event":"ready"')
        music.send("play tone")
        music.hear('"reply":"play","ok":true')
        prompt = self.of_page("Ducking")
        music.hear('"gain":0.2')
        music.hear('"gain":1')
        self.assertEqual(prompt.end(), 0)

    def test_Routes(self) -> None:
        card = self.card()
        picker = self.of_page("Routes")
        self.assertIn("because the program prefers it", picker.hear('plays on ["headphones"] of 2')[1])
        card.send("unplug headphones")
        picker.hear('route: ["Speakers"]')

    def test_Numbers(self) -> None:
        self.card()
        mixer = self.of_page("Numbers")
        mixer.hear("ready")
        subprocess.run(["wpctl", "set-volume", "@DEFAULT_AUDIO_SINK@", "0.25"], check=True, timeout=LIMIT)
        mixer.hear("volume 0.25 false")

    def test_Recording(self) -> None:
        self.card()
        memo = self.of_page("Recording")
        wait_until(lambda: os.path.exists("memo.flac") and os.path.getsize("memo.flac") > 10_000, "a second of sound")
        self.assertIn("Memo", self.run_tool("why"))
        # The file of a killed program is complete.
        memo.kill()
        hello = self.of_page("FirstSound", "memo.flac")
        hello.hear('playing on ["Headphones"]')
        self.assertEqual(hello.end(), 0)

    def test_YourOwnSound(self) -> None:
        card = self.card()
        synth = self.of_page("YourOwnSound")
        synth.hear("playing")
        self.simulate("call", "--seconds", "1")
        synth.hear("interrupted")
        synth.hear("playing")
        card.send("unplug headphones")
        synth.hear("becameNoisy")
        synth.hear("routeLost")

    def test_Desktop(self) -> None:
        self.card()
        other = self.program("pw-play", "pw-play", "song.flac")
        wait_until(lambda: "plays to Headphones" in self.run_tool("why"), "pw-play's stream")
        tunes = self.of_page("Desktop")
        wait_until(lambda: '"softVolumes": [0.0]' in json.dumps(graph()), "the mono stream of pw-play to be muted")
        names = subprocess.run(["busctl", "--user", "list"], capture_output=True, text=True, check=True).stdout
        name = re.search(r"org\.mpris\.MediaPlayer2\.Tunes\.\S+", names)
        self.assertTrue(name, names)
        subprocess.run(
            ["busctl", "--user", "call", name[0], "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", "Pause"], check=True)
        tunes.hear("state paused")
        other.kill()

    def test_FromAScript(self) -> None:
        music = self.program("music", self.tool, "run")
        music.hear('"event":"ready"')
        music.send("activate")
        music.hear('"reply":"activate","ok":true')
        speaker = self.folder / "espeak-ng"
        speaker.write_text('#!/bin/sh\necho "says: $1"\nread line\n')
        speaker.chmod(0o755)
        for text in ("audiosession with --duck -- espeak-ng", "command -v audiosession"):
            script = self.bash(command("FromAScript", text))
            script.hear("says: dinner is ready")
            music.hear('"gain":0.2')
            script.send("")
            music.hear('"gain":1')
            self.assertEqual(script.end(), 0)
        script = self.bash(command("FromAScript", "audiosession duck &").replace("…", "read line"))
        music.hear('"gain":0.2')
        script.send("")
        music.hear('"gain":1')
        self.assertEqual(script.end(), 0)

    def test_Testing(self) -> None:
        self.card().send("unplug headphones")
        wait_until(lambda: bool(re.match(r"Sound goes to\n *\S* *Speakers", self.run_tool("status"))), "the card to have no headphones")
        script = self.bash(re.search(r"`(pw-dump > laptop\.json)`", (DOCS / "Testing.md").read_text())[1])
        self.assertEqual(script.end(), 0)
        tests = os.path.join(os.environ["TASKS_PROGRAMS"], "PodcastPackageTests.xctest")
        result = subprocess.run([tests, "--testing-library", "swift-testing"], capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result)
        self.assertIn("Test run with 3 tests", result.stdout + result.stderr)

    def test_Troubleshooting(self) -> None:
        self.assertIn("PipeWire is not running", self.run_tool("status", "--remote", "nothing-is-there", status=69))
        self.assertIn("nothing: there is no output", self.run_tool("status"))
        self.card()
        silent = self.of_page("Troubleshooting")
        wait_until(lambda: "Silent" in self.run_tool("why"), "the program to play")
        call = self.program("call", self.tool, "simulate", "call", "--seconds", "2")
        silent.hear("interrupted by")
        call.end()

    def test_ComingFromAVAudioSession(self) -> None:
        card = self.card()
        program = self.of_page("ComingFromAVAudioSession")
        program.hear('plays on ["Headphones"]')
        card.send("unplug headphones")
        program.hear("pause")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(pathlib.Path(sys.argv[2]).resolve())
    else:
        unittest.main(argv=sys.argv[1:], verbosity=2)
