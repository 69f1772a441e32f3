"""Draws the figures of Docs/HowItWorks.md: drawings.py FOLDER. Legible on light and on dark pages."""

import html
import pathlib
import sys

STYLE = """
    .page { fill: #ffffff } .box { fill: #eef3fb; stroke: #4a6fa5 } .pure { fill: #eaf6ea; stroke: #4f8a4f }
    .outside { fill: #f4f0e8; stroke: #9a8556 } .line { stroke: #8a8f98 } .arrow { stroke: #30363d; fill: none }
    .tip { fill: #30363d } text { fill: #1f2328; font: 13px sans-serif } .small { font-size: 12px }
    .name { font-weight: bold } .quiet { fill: #57606a }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117 } .box { fill: #16233a; stroke: #6c97d8 } .pure { fill: #16301a; stroke: #74b874 }
      .outside { fill: #2b2517; stroke: #c4ab72 } .line { stroke: #6e7681 } .arrow { stroke: #d0d7de }
      .tip { fill: #d0d7de } text { fill: #e6edf3 } .quiet { fill: #9198a1 }
    }
"""


class Drawing:
    def __init__(self, width, title):
        self.width, self.height, self.title, self.parts = width, 0, title, []

    def text(self, x, y, words, style="", anchor="middle"):
        self.parts.append(f'<text x="{x}" y="{y}" class="{style}" text-anchor="{anchor}">{html.escape(words)}</text>')

    def box(self, x, y, width, height, style, lines):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" class="{style}"/>')
        top = y + height / 2 + 5 - 8 * (len(lines) - 1)
        for number, words in enumerate(lines):
            self.text(x + width / 2, top + 16 * number, words, "name" if number == 0 else "small")
        self.height = max(self.height, y + height)

    def arrow(self, x, y, to_x, to_y, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="M{x} {y} L{to_x} {to_y}" class="arrow"{dash} marker-end="url(#tip)"/>')
        self.height = max(self.height, y, to_y)

    def svg(self):
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height + 16}" '
            f'viewBox="0 0 {self.width} {self.height + 16}" role="img">\n'
            f"  <title>{html.escape(self.title)}</title>\n  <style>{STYLE}  </style>\n"
            '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            '<path d="M0 0 L8 4 L0 8 z" class="tip"/></marker></defs>\n'
            f'  <rect width="{self.width}" height="{self.height + 16}" class="page"/>\n  '
        )
        return head + "\n  ".join(self.parts) + "\n</svg>\n"


class Sequence(Drawing):
    """Messages between actors, from top to bottom."""

    def __init__(self, title, step, actors):
        super().__init__(step * len(actors), title)
        self.step, self.count, self.y = step, len(actors), 76
        for number, (style, lines) in enumerate(actors):
            self.box(step * number + 8, 12, step - 16, 46, style, lines)
        self.lines_at = len(self.parts)

    def at(self, actor):
        return self.step * actor + self.step / 2

    def say(self, sender, receiver, words, dashed=False):
        x, to_x = self.at(sender), self.at(receiver)
        # Between two actors, where no line is crossed.
        near = self.at(sender + (1 if receiver > sender else -1))
        self.text((x + near) / 2, self.y + 8, words, "small")
        self.arrow(x, self.y + 16, to_x, self.y + 16, dashed)
        self.y += 38

    def does(self, actor, *lines, style="box"):
        height = 12 + 17 * len(lines)
        x = self.step * actor + 6
        self.parts.append(f'<rect x="{x}" y="{self.y}" width="{self.step - 12}" height="{height}" rx="4" class="{style}"/>')
        for number, words in enumerate(lines):
            self.text(self.at(actor), self.y + 18 + 17 * number, words, "small")
        self.low = max(getattr(self, "low", 0), self.y + height)

    def rest(self, gap=14):
        self.y = self.low + gap

    def svg(self):
        self.height = max(self.height, self.y)
        for actor in range(self.count):
            x = self.at(actor)
            self.parts.insert(self.lines_at, f'<path d="M{x} 58 L{x} {self.height}" class="line" stroke-dasharray="2 3"/>')
        return super().svg()


def layers():
    drawing = Drawing(768, "The layers of the library, from your program down to PipeWire")
    drawing.box(20, 14, 728, 34, "outside", ["your program"])
    for number, name in enumerate(["AudioSessionPlayback", "AudioSessionDesktop", "AVFAudio", "AudioSessionC"]):
        x = 20 + 184 * number
        drawing.box(x, 72, 176, 34, "box", [name])
        drawing.arrow(x + 88, 48, x + 88, 70)
        drawing.arrow(x + 88, 106, x + 88, 130)
    actors = "manager, sessions, streams of events: actors on the thread of PipeWire's loop"
    drawing.box(20, 132, 728, 52, "box", ["AudioSessions", actors])
    drawing.box(20, 238, 320, 68, "box", ["PipeWireGraph", "news become values,", "actions become calls"])
    purpose = ["decides: an event goes in, actions come out;", "no input, output, clock or thread"]
    drawing.box(428, 238, 320, 68, "pure", ["AudioSessionCore", *purpose])
    drawing.arrow(180, 184, 180, 236)
    drawing.arrow(560, 184, 560, 236)
    drawing.arrow(616, 236, 616, 186, dashed=True)
    drawing.text(550, 215, "events", "small quiet", "end")
    drawing.text(626, 215, "actions", "small quiet", "start")
    drawing.arrow(340, 272, 426, 272)
    drawing.text(383, 262, "values", "small quiet")
    drawing.box(20, 340, 320, 52, "box", ["CPipeWireShim", "C: the loop, the protocol, the real-time gate"])
    drawing.arrow(180, 306, 180, 338)
    drawing.box(20, 426, 320, 52, "outside", ["PipeWire", "its session manager, cards, other programs"])
    drawing.arrow(160, 392, 160, 424)
    drawing.arrow(200, 424, 200, 394)
    return drawing


def turns():
    drawing = Sequence(
        "A call interrupts a music player, which resumes afterwards", 240,
        [("box", ["music", "its own manager"]), ("outside", ["PipeWire's daemon", "decides nothing"]), ("box", ["call", "its own manager"])])
    drawing.does(0, "active: its token has serial 41")
    drawing.does(2, "activate()")
    drawing.rest()
    drawing.say(2, 1, "a token: communication")
    drawing.does(1, "serial 57", style="outside")
    drawing.rest()
    drawing.say(1, 0, "token 57, by this process")
    drawing.y -= 38
    drawing.say(1, 2, "token 57: its own echo")
    drawing.does(0, "57 is above 41: silent,", "then interruptionBegan(by: call)", style="pure")
    drawing.does(2, "57 is on top: active,", "activate() returns", style="pure")
    drawing.rest()
    drawing.does(2, "deactivate()")
    drawing.rest()
    drawing.say(2, 1, "a token: released, with notice")
    drawing.say(1, 0, "released, with notice")
    drawing.does(0, "none above: interruptionEnded", "(shouldResume), a claim of 3 s", style="pure")
    drawing.does(2, "or it is killed: then PipeWire", "removes its token")
    drawing.rest()
    drawing.say(0, 1, "a token: active again")
    return drawing


def unplug():
    drawing = Sequence(
        "A headset is pulled: from the card to the gate and the program", 172,
        [("outside", ["PipeWire"]), ("box", ["loop's thread", "C, in the callback"]), ("box", ["real-time thread", "C"]),
         ("pure", ["AudioSessionCore"]), ("box", ["your program"])])
    drawing.does(3, "before: “if this sink", "goes, close that gate”")
    drawing.rest()
    drawing.say(3, 1, "armed")
    drawing.does(0, "the headset is pulled,", "its sink goes", style="outside")
    drawing.rest()
    drawing.say(0, 1, "the sink is gone")
    drawing.does(1, "the gate is closed")
    drawing.rest()
    drawing.say(1, 2, "closed")
    drawing.does(2, "from the next cycle", "on: zeros")
    drawing.rest()
    drawing.say(1, 3, "the sink is gone")
    drawing.does(3, "the output is lost:", "pause", style="pure")
    drawing.rest()
    drawing.say(3, 4, "becameNoisy")
    drawing.say(0, 3, "links, default, barrier")
    drawing.does(3, "the routes are", "compared", style="pure")
    drawing.rest()
    drawing.say(3, 4, "routeChanged")
    return drawing


folder = pathlib.Path(sys.argv[1])
for name, draw in {"layers": layers, "turns": turns, "unplug": unplug}.items():
    (folder / f"{name}.svg").write_text(draw().svg())
