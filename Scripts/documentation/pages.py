"""Extracts from the pages the catalogs for DocC, and the code blocks."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "Docs"
PAGES = sorted(DOCS.glob("*.md"))
MAIN = "AudioSessions"
LIBRARIES = ["AudioSessionCore", "AudioSessions", "AudioSessionPlayback", "AudioSessionFoundation", "AudioSessionDesktop", "AudioSessionText", "AudioSessionTestKit"]


def fail(message):
    sys.exit(f"docs: {message}")


# MARK: Catalogs


def headings(text):
    """The headings of a page, by their anchors on a Git host."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", plain, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"): title for title in titles}


def fragment(page, anchor):
    titles = headings(page.read_text())
    if anchor not in titles:
        fail(f"{page.relative_to(ROOT)} has no heading #{anchor}")
    return re.sub(r"\s+", "-", re.sub(r"[`:,.'\"?()]", "", titles[anchor]))


def turn(link, page):
    """Converts a link between files to one between articles."""
    text, target = link.group(1), link.group(2)
    if re.match(r"[a-z]+:", target):
        return link.group(0)
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        fail(f"{page.relative_to(ROOT)}: the link to {target} has no target")
    if file.parent != DOCS or file.suffix != ".md":
        return f"`{file.relative_to(ROOT)}`"
    article = f"doc:{file.stem}" + (f"#{fragment(file, anchor)}" if anchor else "")
    return f"<{article}>" if text in (target, path, f"Docs/{target}") else f"[{text}]({article})"


def public_names(folder):
    """The link to each public type and each member that is not overloaded, by its name in pages."""
    links, twice = {}, set()
    for file in sorted(folder.glob("*/*.symbols.json")):
        graph = json.loads(file.read_text())
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            if symbol["kind"]["identifier"] == "swift.extension" or len(path) > 2:
                continue
            name, link = ".".join(path), "/".join(["", file.parent.name, *path])
            if name in links:
                twice.add(name)
            links[name] = link
    return {name: link for name, link in links.items() if name not in twice}


def link_symbols(text, links):
    """Converts the public names in a text to links, except in headings and the text of links."""
    def link(span):
        return f"``{links[span.group(1)]}``" if span.group(1) in links else span.group(0)

    lines = text.split("\n")
    for index, line in enumerate(lines):
        if not line.startswith("#"):
            parts = re.split(r"(!?\[[^\]]*\]\([^)]*\))", line)
            parts[::2] = [re.sub(r"(?<!`)`([^`\n]+)`(?!`)", link, part) for part in parts[::2]]
            lines[index] = "".join(parts)
    return "\n".join(lines)


def article(page, links):
    text = re.sub(r"<!--.*?-->\n+", "", page.read_text(), flags=re.S)
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"(?<!!)\[([^\]\[]+)\]\(([^)\s]+)\)", lambda link: turn(link, page), parts[index])
        parts[index] = re.sub(r"!\[([^\]]*)\]\((?:[^)\s]*/)?([^)\s/]+)\)", r"![\1](\2)", parts[index])
        parts[index] = link_symbols(parts[index], links)
    return "".join(parts)


def catalogs(folder):
    """Writes a catalog for each file in Docs/Modules. That of the main module has the pages as articles."""
    links = public_names(folder.parent / "symbols")
    for landing in sorted((DOCS / "Modules").glob("*.md")):
        catalog = folder / f"{landing.stem}.docc"
        catalog.mkdir(parents=True)
        text = landing.read_text()
        if landing.stem != MAIN:
            # The articles belong to another module.
            text = re.sub(r"<doc:(\w+)>", rf"<doc:/{MAIN}/\1>", text)
        (catalog / landing.name).write_text(text)
        if landing.stem == MAIN:
            for page in PAGES:
                (catalog / page.name).write_text(article(page, links))
            for picture in [*DOCS.glob("*.png"), *(DOCS / "Drawings").glob("*.svg")]:
                (catalog / picture.name).write_bytes(picture.read_bytes())


def entrance(site):
    """Sets the first page of the site, adds a summary to the page above the modules, and repairs the sidebar."""
    first = f"documentation/{MAIN.lower()}/"
    (site / "index.html").write_text(
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{MAIN}</title>\n'
        f'<meta http-equiv="refresh" content="0; url={first}">\n<p><a href="{first}">Documentation of {MAIN}</a></p>\n</html>\n'
    )
    page = site / "data/documentation.json"
    above = json.loads(page.read_text())
    main = next(reference for reference in above["references"].values() if reference["title"] == MAIN)
    above["abstract"] = main["abstract"]
    page.write_text(json.dumps(above))
    # The sidebar of a module shows the first entry with the module's path, which can be a link in another module.
    index = site / "index/index.json"
    sidebar = json.loads(index.read_text())
    for module in sidebar["interfaceLanguages"]["swift"][0]["children"]:
        for entry in module["children"]:
            if entry["type"] == "module":
                entry["path"] += "/"
            if "path" in entry and not (site / entry["path"].strip("/") / "index.html").exists():
                fail(f"the sidebar links to {entry['path']}, which does not exist")
    index.write_text(json.dumps(sidebar))
    # One link of each kind: to the first page, to another module, and from an article to a symbol.
    main_page = (site / f"data/documentation/{MAIN.lower()}.json").read_text()
    sessions = (site / f"data/documentation/{MAIN.lower()}/sessions.json").read_text()
    if not (site / first / "index.html").exists() or "doc://AVFAudio/documentation/AVFAudio" not in main_page \
            or "doc://AudioSessionPlayback/documentation/AudioSessionPlayback/AudioPlayer" not in sessions:
        fail("the first page, the links between modules or those of articles to symbols are missing")


# MARK: Symbols

# Members that a protocol of the standard library requires and documents.
REQUIREMENTS = {
    "rawValue", "init(rawValue:)", "description", "id", "hash", "hash(into:)", "==(_:_:)", "<(_:_:)", "isEqual(_:)",
    "encode(to:)", "unownedExecutor", "makeAsyncIterator()", "next(isolation:)", "Iterator", "Failure", "Element",
}


def table():
    """The row of each of Apple's symbols in Docs/ComingFromAVAudioSession.md."""
    rows = {}
    for line in (DOCS / "ComingFromAVAudioSession.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 5 or not cells[1].startswith("`"):
            continue
        words = {"works": "As on iOS.", "no effect": "For code that was written for iOS: accepted, and changes nothing."}
        if cells[2] in words:
            for name in re.findall(r"`([A-Za-z0-9…]+)`", cells[1]):
                rows[name] = words[cells[2]] + (f" {cells[3][0].upper()}{cells[3][1:]}." if cells[3] else "")
    return rows


def said(rows, path):
    """The row of a symbol, or of the small type that contains it."""
    names = [part.split("(")[0] for part in reversed(path)]
    classes = ["AVAudioSession", "AVAudioPlayer", "AVAudioRecorder", "AVAudioApplication"]
    for name in names[:1] + [name for name in names[1:] if name not in classes]:
        for row, text in rows.items():
            if name == row or row.endswith("…") and name.startswith(row[:-1]):
                return re.sub(r"\[[^\]]*\]\((\w+)\.md\)", r"`Docs/\1.md`", text)
    return None


def symbols(folder):
    """Fails if a public symbol has no documentation. Apple's symbols get that of the table."""
    rows, count, missing = table(), 0, []
    for file in sorted(folder.glob("*/*.symbols.json")):
        graph = json.loads(file.read_text())
        inherited = {link["source"] for link in graph["relationships"] if "sourceOrigin" in link}
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            if symbol["kind"]["identifier"] == "swift.extension" or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                continue
            if "docComment" not in symbol and graph["module"]["name"] == "AVFAudio" and said(rows, path):
                symbol["docComment"] = {"lines": [{"text": said(rows, path)}]}
            count += 1
            if "docComment" in symbol or symbol["identifier"]["precise"] in inherited or path[-1] in REQUIREMENTS:
                continue
            place = symbol.get("location", {"uri": "?", "position": {"line": -1}})
            name = place["uri"].removeprefix("file://").removeprefix(f"{ROOT}/")
            missing.append(f"{name}:{place['position']['line'] + 1}: {'.'.join(path)} has no documentation")
        file.write_text(json.dumps(graph))
    print("\n".join(sorted(set(missing))), end="\n" if missing else "")
    if not count or missing:
        fail(f"{len(set(missing))} of {count} public symbols have no documentation")
    print(f"docs: {count} public symbols, each with documentation")


# MARK: C

# The types by their modules.
PARITY = {
    "AudioSessions": ["AudioSession", "AudioSessionManager", "AudioSessionEvent"],
    "AudioSessionPlayback": ["AudioOutput", "AudioInput", "AudioPlayer", "AudioRecorder"],
    "AudioSessionDesktop": ["UnmanagedAudio", "AttachedStreams", "NowPlaying"],
}


def parity(folder):
    """Fails if a member of one of these types has no row in FromC.md, or a row names a missing member."""
    header = (ROOT / "Sources/CAudioSession/include/audiosession.h").read_text()
    page, faults, count = (DOCS / "FromC.md").read_text(), [], 0
    types = [(module, name) for module, names in PARITY.items() for name in names]
    graphs = {
        module: json.loads((folder / module / f"{module}.symbols.json").read_text()) for module in PARITY
    }
    for module, name in types:
        members = {
            symbol["pathComponents"][1].split("(")[0]
            for symbol in graphs[module]["symbols"]
            if len(symbol["pathComponents"]) == 2 and symbol["pathComponents"][0] == name
        }
        section = re.search(rf"^### {name}\n(.*?)^##", page, flags=re.M | re.S)
        rows = re.findall(r"^\| (`.*?) \| (.*?) \|$", section.group(1) if section else "", flags=re.M)
        shown = {member for swift, _ in rows for member in re.findall(r"`(\w+)`", swift)}
        faults += [f"{name}.{member} has no row" for member in sorted(members - shown)]
        faults += [f"{name}.{member} does not exist" for member in sorted(shown - members)]
        for swift, c in rows:
            names = re.findall(r"`(\w+)`", c)
            faults += [f"audiosession.h has no {word}" for word in names if not re.search(rf"\b{word}\b", header)]
            if not names and not c.startswith("none: "):
                faults.append(f"the row of {swift} has neither a name of C nor a reason")
        count += len(members)
    if faults:
        fail("Docs/FromC.md: " + "; ".join(faults))
    print(f"docs: {count} members of {', '.join(name for _, name in types)} have a row in Docs/FromC.md")


# MARK: Code


class Program:
    """Blocks that form one program, with directives that give the compiler each line's origin."""

    def __init__(self, language, page, line):
        self.language, self.page, self.line, self.text = language, page, line, ""

    def add(self, line, text):
        name = self.page.relative_to(ROOT)
        if "import PackageDescription" in text or "import PackageDescription" in self.text:
            self.text += text  # `// swift-tools-version` must be the first line.
        elif self.language == "swift":
            self.text += f'#sourceLocation(file: "{name}", line: {line})\n{text}'
        elif self.language in ("c", "cpp"):
            self.text += f'#line {line} "{name}"\n{text}'
        else:
            self.text += text


def blocks(page):
    """The code of a page in its order: (language, line, text). A comment `<!-- swift` is hidden code."""
    lines = page.read_text().splitlines()
    index = 0
    while index < len(lines):
        opening = re.match(r"( *)```(\w+)$", lines[index]) or re.match(r"()<!-- (swift|c|cpp|python)$", lines[index])
        index += 1
        if not opening:
            continue
        closing, begin = ("```" if "```" in opening.group(0) else "-->"), index
        while lines[index].strip() != closing:
            index += 1
        body = "\n".join(line.removeprefix(opening.group(1)) for line in lines[begin:index])
        yield opening.group(2), begin + 1, body + "\n"
        index += 1


def programs(page):
    """Swift that begins with an import begins a program, which later blocks continue. Others stand alone."""
    found = []
    for language, line, text in blocks(page):
        if language == "json":
            check_json(page, line, text)
        elif language in ("swift", "c", "cpp", "python"):
            goes_on = language == "swift" and not re.search(r"^import ", text, flags=re.M)
            previous = next((p for p in reversed(found) if p.language == "swift"), None) if goes_on else None
            if previous is None:
                previous = Program(language, page, line)
                found.append(previous)
            previous.add(line, text)
    return found


def check_json(page, line, text):
    try:
        json.loads(text)
    except ValueError:
        for number, row in enumerate(text.splitlines(), line):
            try:
                json.loads(row)
            except ValueError as error:
                fail(f"{page.relative_to(ROOT)}:{number}: no JSON: {error}")


def comment_blocks(file):
    """The code in doc comments, indented or fenced: (line, text)."""
    code, fenced, previous = None, False, None
    for number, line in enumerate([*file.read_text().splitlines(), ""], 1):
        comment = re.match(r" *///(.*)$", line)
        text = comment.group(1) if comment else ""
        if code is not None:
            if text.strip() == "```" if fenced else not text.startswith("     "):
                yield begin, code
                code = None
            else:
                code += text[1 if fenced else 5 :] + "\n"
        elif text.strip() == "```swift":
            code, fenced, begin = "", True, number + 1
        elif previous == "" and text.startswith("     ") and not text.strip().startswith(("{", "- ")):
            code, fenced, begin = text[5:] + "\n", False, number
        previous = text.strip() if comment else None


def examples():
    """The code of all doc comments: each block is a function whose parameters are the predefined names."""
    given = "manager: AudioSessionManager, session: AudioSession, player: AudioPlayer, dump: PipeWireDump, bytes: [UInt8]"
    imports = ["AudioSessionDesktop", "AudioSessionFoundation", "AudioSessionPlayback", "AudioSessionTestKit", "AudioSessions"]
    program = Program("swift", ROOT / "Sources", 1)
    program.text = "".join(f"import {module}\n" for module in imports)
    count = 0
    for library in LIBRARIES:
        for file in sorted((ROOT / "Sources" / library).rglob("*.swift")):
            for line, text in comment_blocks(file):
                count += 1
                program.text += f"func example{count}({given}) async throws {{\n"
                program.text += f'#sourceLocation(file: "{file.relative_to(ROOT)}", line: {line})\n'
                program.text += text.replace("…", "/* … */") + "}\n"
    return program, count


def check_links(page):
    for text, target in re.findall(r"\[([^\]\[]+)\]\(([^)\s]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not re.match(r"[a-z]+:", target) and not file.exists():
            fail(f"{page.relative_to(ROOT)}: the link to {target} has no target")
        if anchor and file.suffix == ".md":
            fragment(file, anchor)


def code(folder):
    """Writes every program to its own folder, for the compilers, and prints their number."""
    suffix = {"swift": "swift", "c": "c", "cpp": "cpp", "python": "py"}
    everything = [ROOT / "README.md", *PAGES, *sorted((DOCS / "Modules").glob("*.md"))]
    everything += [ROOT / "CONTRIBUTING.md", ROOT / "Sources/README.md", ROOT / "Tests/README.md", ROOT / "Scripts/README.md", ROOT / "Compatibility/README.md", *sorted((ROOT / "Examples").glob("*.md")), *sorted((ROOT / "Examples").glob("*/*.md"))]
    for page in everything:
        check_links(page)
    found = [program for page in everything for program in programs(page)]
    comments, count = examples()
    for index, program in enumerate([*found, comments]):
        if program.language == "python":
            compile(program.text, str(program.page), "exec")
        place = folder / f"{index:02}-{program.page.stem}-{program.line}"
        place.mkdir(parents=True)
        (place / f"main.{suffix[program.language]}").write_text(program.text)
    print(f"docs: {len(found)} programs in the pages, {count} examples in comments")


commands = {"catalogs": catalogs, "entrance": entrance, "symbols": symbols, "parity": parity, "code": code}
commands[sys.argv[1]](pathlib.Path(sys.argv[2]))
