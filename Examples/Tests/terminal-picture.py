"""terminal-picture.py COLUMNS ROWS BEFORE CAPTION AFTER: what a terminal showed, as SVG.

BEFORE and AFTER are what a program wrote to a terminal of that size. Of the terminal's language this knows what
Examples/music-player writes, nothing else.
"""

import re
import sys
import unicodedata
from html import escape

CELL, LINE, SIZE = 9, 23, 15
MARGIN, HEAD, FOOT, BETWEEN = 12, 40, 14, 56
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
# By the parameters of the code that sets them: as they look on a dark ground, which the picture brings with it.
STYLES = {
    "0": ("#d6dde5", "400"),
    "1": ("#ffffff", "700"),
    "2": ("#8b949e", "400"),
    "1;36": ("#4fd1d9", "700"),
}


def cells(character):
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def screen(data, columns, rows):
    """Rows of (column, character, style) after all of the bytes were written."""
    grid = [[] for _ in range(rows)]
    row = column = 0
    style = "0"
    for code, final, text in re.findall(r"\x1b\[([0-9;?]*)([A-Za-z])|([^\x1b]+)", data.decode()):
        if final == "H":
            row, column = (int(part) - 1 for part in code.split(";"))
        elif final == "J":
            grid = [[] for _ in range(rows)]
        elif final == "K":
            grid[row] = []
        elif final == "m":
            style = code
        for character in text:
            if character >= " " and column < columns:
                grid[row].append((column, character, style))
                column += cells(character)
    return grid


# Viewers have different fonts, some without these characters, and some draw them in colors of their own.
def triangle(x, y, color):
    return f'<path d="M{x} {y - 5.5}l9.5 5.5-9.5 5.5z" fill="{color}"/>'


def bars(x, y, color):
    return f'<path d="M{x} {y - 5}h3v10h-3zM{x + 5.5} {y - 5}h3v10h-3z" fill="{color}"/>'


def headphones(x, y, color):
    return (
        f'<path d="M{x + 2} {y + 3}v-2a6.5 6.5 0 0 1 13 0v2" fill="none" stroke="{color}" stroke-width="1.7"/>'
        f'<rect x="{x + 0.6}" y="{y}" width="4.4" height="7" rx="1.8" fill="{color}"/>'
        f'<rect x="{x + 12}" y="{y}" width="4.4" height="7" rx="1.8" fill="{color}"/>'
    )


def loudspeaker(x, y, color):
    return (
        f'<path d="M{x + 1} {y - 2.5}h3.5l4.5-4v13l-4.5-4h-3.5z" fill="{color}"/>'
        f'<path d="M{x + 11.5} {y - 3}a4.2 4.2 0 0 1 0 6" fill="none" stroke="{color}" stroke-width="1.6"'
        ' stroke-linecap="round"/>'
    )


SHAPES = {"▶": triangle, "‖": bars, "🎧": headphones, "🔈": loudspeaker}
# Of bars: height, share of the cell.
BARS = {"━": (3.5, 1), "╸": (3.5, 0.5), "─": (1.5, 1)}


def pieces(row):
    """(column, text, style) of what is drawn in one go. Wide gaps part, so that what follows stays in its column."""
    found = []
    for column, character, style in row:
        if character == " ":
            continue
        if found:
            start, text, former = found[-1]
            gap = column - start - sum(map(cells, text))
            is_text = text[-1] not in SHAPES and text[-1] not in BARS
            if style == former and (
                (gap <= 1 and is_text and character not in SHAPES and character not in BARS)
                or (gap == 0 and character in BARS and character == text[-1])
            ):
                found[-1] = (start, text + " " * gap + character, style)
                continue
        found.append((column, character, style))
    return found


def line(row, x, y):
    for column, text, style in pieces(row):
        color, weight = STYLES[style]
        left, middle = x + column * CELL, y - 5
        if text in SHAPES:
            yield SHAPES[text](left, middle, color)
        elif text[0] in BARS:
            height, share = BARS[text[0]]
            width = len(text) * CELL * share
            yield f'<rect x="{left}" y="{middle - height / 2}" width="{width}" height="{height}" fill="{color}"/>'
        else:
            width = sum(map(cells, text)) * CELL
            yield (
                f'<text x="{left}" y="{y}" fill="{color}" font-weight="{weight}" textLength="{width}">'
                f"{escape(text)}</text>"
            )


def window(grid, y, width):
    height = HEAD + len(grid) * LINE + FOOT
    yield (
        f'<rect x="0.5" y="{y + 0.5}" width="{width - 1}" height="{height - 1}" rx="9" fill="#14191f" stroke="#3a424c"/>'
    )
    for number in range(3):
        yield f'<circle cx="{20 + 18 * number}" cy="{y + 19}" r="5" fill="#3a424c"/>'
    for number, row in enumerate(grid):
        yield from line(row, MARGIN, y + HEAD + number * LINE + 16)


def main():
    columns, rows, before, caption, after = sys.argv[1:]
    grids = [screen(open(file, "rb").read(), int(columns), int(rows)) for file in (before, after)]
    width = 2 * MARGIN + int(columns) * CELL
    height = HEAD + int(rows) * LINE + FOOT
    second, middle = height + BETWEEN, height + BETWEEN / 2
    total = second + height
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" viewBox="0 0 {width} {total}"'
        f' font-family="{FONT}" font-size="{SIZE}">'
    )
    print("\n".join(window(grids[0], 0, width)))
    # Gray enough for a light page and for a dark one.
    gray, left = "#7a828e", MARGIN + 2 * CELL
    print(
        f'<path d="M{left + 4} {height + 12}v{BETWEEN - 26}m-6-6 6 6 6-6" fill="none" stroke="{gray}" stroke-width="2"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )
    print(f'<text x="{left + 3 * CELL}" y="{middle + 5}" fill="{gray}">{escape(caption)}</text>')
    print("\n".join(window(grids[1], second, width)))
    print("</svg>")


main()
