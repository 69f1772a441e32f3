"""Draws the results of Scripts/benchmark: plots.py RESULTS.json DRAWING.svg. Legible on light and on dark pages."""

import html
import json
import math
import pathlib
import sys

STYLE = """
    .page { fill: #ffffff } .grid { stroke: #e1e4e8 } text { fill: #1f2328; font: 12px sans-serif }
    .title { font-size: 15px; font-weight: bold } .name { font-weight: bold } .small { font-size: 11px; fill: #57606a }
    .curve { fill: none; stroke-width: 1.6 } .own { stroke-width: 3.2 }
    .a { stroke: #d1242f } .b { stroke: #57606a; stroke-dasharray: 5 3 } .c { stroke: #1a7f37 } .d { stroke: #bf8700 }
    .e { stroke: #8250df } .f { stroke: #0598bc; stroke-dasharray: 2 3 } .bar { stroke: #8c959f } .mine { stroke: #d1242f } .range { stroke: #1f2328 }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117 } .grid { stroke: #30363d } text { fill: #e6edf3 } .small { fill: #9198a1 }
      .a { stroke: #ff7b72 } .b { stroke: #b1bac4 } .c { stroke: #56d364 } .d { stroke: #e3b341 } .e { stroke: #bc8cff }
      .f { stroke: #56d4dd }
      .bar { stroke: #6e7681 } .mine { stroke: #ff7b72 } .range { stroke: #e6edf3 }
    }
"""


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def text(self, x, y, words, style="", anchor="start", turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>'
        )

    def line(self, points, style, width=None):
        wide = f' stroke-width="{width}"' if width else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" class="{style}"{wide}/>')

    def svg(self):
        size = f'width="{self.width}" height="{self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {self.width} {self.height}" role="img">\n'
            f"  <title>{html.escape(self.title)}</title>\n  <style>{STYLE}  </style>\n"
            f'  <rect {size} class="page"/>\n  ' + "\n  ".join(self.parts) + "\n</svg>\n"
        )


def decimal(value):
    """The number with two significant digits, and commas between thousands."""
    digits = 0 if value >= 10 or value == 0 else 1
    return f"{value:,.{digits}f}"


# MARK: Event latency

# The lines by peer, with the information of the peer. No kind of event has more than five of them.
LINES = [
    ("a own", "AudioSessions", [("AudioSessions, callback", ("typed", "full"))]),
    ("b", "C client (floor)", [("C client (floor)", ("typed", "full"))]),
    ("c", "libwireplumber", [("libwireplumber", ("full",))]),
    ("d", "libpulse", [("libpulse", ("full",))]),
    ("e", "GStreamer", [("GStreamer", ("full",))]),
    ("f", "D-Bus signal", [("D-Bus signal", ("full",))]),
]


def quantile(histogram, share):
    total, count = sum(n for _, n in histogram), 0
    for time, n in histogram:
        count += n
        if count >= share * total:
            return time / 1000
    return histogram[-1][0] / 1000


def latency(results):
    rows = {(row["measure"], row["peer"], row["level"]): row["histogram"] for row in results["rows"]}
    measures = list(dict.fromkeys(row["measure"] for row in results["rows"]))

    def curve(measure, peers):
        for peer, levels in peers:
            # A peer with less information is compared with others like it: typed where this library
            # gives typed ports.
            own = next(l for l in ("typed", "full") if (measure, "AudioSessions, callback", l) in rows)
            for level in (own, *levels) if "typed" in levels else levels:
                if (measure, peer, level) in rows:
                    return rows[measure, peer, level]
        return None

    panels = [(measure, [(style, curve(measure, peers)) for style, _, peers in LINES]) for measure in measures]
    shown = [histogram for _, curves in panels for _, histogram in curves if histogram]
    low = min(quantile(histogram, 0.005) for histogram in shown)
    high = max(quantile(histogram, 0.995) for histogram in shown)
    width, height, columns = 300, 200, 3
    rows_of_panels = -(-len(panels) // columns)
    drawing = Drawing(width * columns + 60, 104 + height * rows_of_panels + 10, "Event latency")
    drawing.text(20, 26, "From the cause of an event to the program's handler", "title")
    drawing.text(
        20, 46, "The line of AudioSessions lies on that of a C client that only waits for the same messages, or left of it."
    )
    drawing.text(
        20, 64, f"Up to the 99.5th percentile. {results['events']:,} events of each kind; "
        f"PipeWire {results['machine']['pipeWire']}, {results['machine']['date'][:10]}.", "small"
    )
    for index, (style, name, _) in enumerate(LINES):
        x = 20 + 148 * index
        drawing.line([(x, 84), (x + 26, 84)], f"curve {style}")
        drawing.text(x + 31, 88, name, "name" if "own" in style else "")
    ticks = [n * 10**power for power in range(1, 6) for n in (1, 2, 5) if low <= n * 10**power <= high]
    for index, (measure, curves) in enumerate(panels):
        left, top = 56 + width * (index % columns), 128 + height * (index // columns)
        wide, tall = width - 50, height - 76

        def x(time):
            return left + wide * math.log(max(time, low) / low) / math.log(high / low)

        def y(share):
            return top + tall * (1 - share)

        drawing.text(left, top - 8, measure, "name")
        for share in (0, 0.5, 1):
            drawing.line([(left, y(share)), (left + wide, y(share))], "grid")
            drawing.text(left - 5, y(share) + 4, f"{share * 100:.0f}%", "small", "end")
        for tick in ticks:
            drawing.line([(x(tick), top), (x(tick), top + tall)], "grid")
            if str(tick)[0] in ("1", "5") or len(ticks) < 7:
                drawing.text(x(tick), top + tall + 14, f"{tick:,}", "small", "middle")
        drawing.text(left + wide / 2, top + tall + 30, "µs", "small", "middle")
        if index % columns == 0:
            drawing.text(left - 40, top + tall / 2, "share of events", "small", "middle", turned=True)
        # This library's line is drawn above the others.
        for style, histogram in reversed(curves):
            if histogram:
                shares = [share / 400 for share in range(1, 399)]
                drawing.line([(x(quantile(histogram, share)), y(share)) for share in shares], f"curve {style}")
    return drawing


# MARK: Sound on the wrong output


def sound(results):
    groups = {}
    for row in results["rows"]:
        groups.setdefault(row["what"], []).append((row["player"], sorted(row["milliseconds"])))
    lines = sum(len(bars) for bars in groups.values())
    drawing = Drawing(780, 124 + 20 * lines + 34 * len(groups), "Sound on the wrong output")
    drawing.text(20, 26, "How long sound is heard where it should not be", "title")
    drawing.text(20, 46, "AudioSessions is silent within one cycle of PipeWire; other players go on until they are stopped.")
    drawing.text(
        20, 64, "Median, with the range of all runs. Listening ends after 1,200 ms. "
        f"PipeWire {results['machine']['pipeWire']}, {results['machine']['date'][:10]}.", "small"
    )
    top, bottom = 78, drawing.height - 44
    for tick in range(0, 1201, 200):
        place = 226 + 440 * tick / 1250
        drawing.line([(place, top), (place, bottom)], "grid")
        drawing.text(place, bottom + 16, f"{tick:,}", "small", "middle")
    drawing.text(226 + 220, bottom + 32, "ms", "small", "middle")
    y = 70
    for what, bars in groups.items():
        y += 34
        drawing.text(20, y, what, "name")
        for player, times in bars:
            y += 20
            start, low, middle, high = (226 + 440 * time / 1250 for time in (0, times[0], times[len(times) // 2], times[-1]))
            own = player.startswith("AudioSessions")
            drawing.text(216, y, player, "name" if own else "", "end")
            drawing.line([(start, y - 4), (max(middle, start + 1), y - 4)], "mine" if own else "bar", 11)
            drawing.line([(low, y - 4), (high, y - 4)], "range", 1)
            drawing.text(high + 8, y, f"{decimal(times[len(times) // 2])} ms", "small")
    return drawing


results = json.loads(pathlib.Path(sys.argv[1]).read_text())
drawing = sound(results) if "milliseconds" in results["rows"][0] else latency(results)
pathlib.Path(sys.argv[2]).write_text(drawing.svg())
