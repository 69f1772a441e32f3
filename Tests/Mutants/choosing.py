"""Finds places in Swift and C sources where Scripts/mutants can make a fault.

Three kinds of fault are found: `negate` (a condition), `drop` (a call whose result is unused) and
`change` (a number). The sources are split into tokens and statements, without types. An edit may
therefore fail to compile; Scripts/mutants then drops it.
"""

import re

# Calls whose absence no test can notice, or without which a function does not compile.
UNDROPPABLE = {
    "assert", "assertionFailure", "fatalError", "free", "precondition", "preconditionFailure",
    "pthread_setname_np", "reserveCapacity", "setvbuf", "withExtendedLifetime",
}
# A number on a line with one of these affects only memory or speed.
UNCHANGEABLE = re.compile(
    r"reserveCapacity|withUnsafeTemporaryAllocation|precondition|_Alignas|alloc\(")


class Token:
    __slots__ = ("kind", "text", "start", "end", "starts_line", "partner")

    def __init__(self, kind, text, start, starts_line):
        self.kind = kind  # word, number, string, sign, directive
        self.text = text
        self.start = start
        self.end = start + len(text)
        self.starts_line = starts_line
        self.partner = None  # of a bracket: the index of the other one


class Candidate:
    """An edit: the text from `start` to `end` becomes `new`, which contains MUTANT."""

    def __init__(self, kind, start, end, new, description):
        self.kind = kind
        self.start = start
        self.end = end
        self.new = new
        self.description = description


class Unreadable(Exception):
    """The file is not split into tokens correctly, so nothing in it can be chosen."""


# ---- Tokens

SPACE = re.compile(r"\s+")
WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|`[^`\n]*`")
NUMBER = re.compile(
    r"0[xX][0-9a-fA-F_]+[uUlL]*|0b[01_]+|0o[0-7_]+"
    r"|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?[uUlLfF]*")
SIGNS = re.compile(r"\.\.\.|\.\.<|[-/=+!*%<>&|^~?]+|[.,:;(){}\[\]@#\\]")


def tokens_of(text, is_swift):
    result = []
    place = 0
    starts_line = True

    def add(kind, end):
        nonlocal place, starts_line
        result.append(Token(kind, text[place:end], place, starts_line))
        starts_line = False
        place = end

    while place < len(text):
        space = SPACE.match(text, place)
        if space:
            starts_line = starts_line or "\n" in space.group()
            place = space.end()
        elif text.startswith("//", place):
            place = end_of_line(text, place)
        elif text.startswith("/*", place):
            end = end_of_comment(text, place, is_swift)
            starts_line = starts_line or "\n" in text[place:end]
            place = end
        elif text[place] == "#" and is_swift and WORD.match(text, place + 1):
            add("directive", WORD.match(text, place + 1).end())
        elif text[place] == "#" and not is_swift and starts_line:
            place = end_of_directive(text, place)
        elif is_swift and re.compile(r'#*"').match(text, place):
            add("string", end_of_string(text, place))
        elif not is_swift and text[place] in "\"'":
            add("string", end_of_c_string(text, place))
        elif WORD.match(text, place):
            add("word", WORD.match(text, place).end())
        elif NUMBER.match(text, place):
            add("number", NUMBER.match(text, place).end())
        elif SIGNS.match(text, place):
            add("sign", SIGNS.match(text, place).end())
        else:
            add("string", place + 1)
    join_brackets(result)
    return result


def end_of_line(text, place):
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def end_of_directive(text, place):
    while True:
        place = end_of_line(text, place)
        if place >= len(text) or text[place - 1] != "\\":
            return place
        place += 1


def end_of_comment(text, place, nests):
    depth = 0
    for sign in re.compile(r"/\*|\*/").finditer(text, place):
        if sign.group() == "*/":
            depth -= 1
        elif nests or depth == 0:
            depth += 1
        if depth == 0:
            return sign.end()
    raise Unreadable("a comment without an end")


def end_of_c_string(text, place):
    quote = text[place]
    place += 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" else 1
    return place + 1


def end_of_string(text, place):
    pounds = re.compile(r"#*").match(text, place).group()
    place += len(pounds)
    quote = '"""' if text.startswith('"""', place) else '"'
    place += len(quote)
    escape, end = "\\" + pounds, quote + pounds
    while place < len(text):
        if text.startswith(end, place):
            return place + len(end)
        if text.startswith(escape + "(", place):
            place = end_of_interpolation(text, place + len(escape))
        elif text.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    raise Unreadable("a string without an end")


def end_of_interpolation(text, place):
    depth = 0
    while place < len(text):
        if text[place] == '"':
            place = end_of_string(text, place)
            continue
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        place += 1
        if depth == 0:
            return place
    raise Unreadable("an interpolation without an end")


def join_brackets(tokens):
    other = {")": "(", "]": "[", "}": "{"}
    stack = []
    for index, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in other.values():
            stack.append(index)
        elif token.text in other:
            if not stack or tokens[stack[-1]].text != other[token.text]:
                raise Unreadable("brackets that do not match")
            token.partner = stack.pop()
            tokens[token.partner].partner = index
    if stack:
        raise Unreadable("a bracket without an end")


# ---- Numbers

def changed_number(text):
    """The expression of another value, and how to show it. Small numbers grow by one, others double."""
    plain = text.replace("_", "")
    try:
        value = int(plain if plain.lower().startswith("0x") else plain.rstrip("uUlL"), 0)
    except ValueError:
        return text + " + 1", text + " + 1"
    if value < 10:
        return text + " + 1", str(value + 1)
    # A number that may be the greatest of its type, or too great once doubled, is halved.
    if value & (value + 1) == 0 or value > 0x3FFFFFFF:
        return text + " / 2", str(value // 2)
    return text + " * 2", str(value * 2)


def shortened(text, limit=60):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 2] + " …"


def change(token, line):
    if UNCHANGEABLE.search(line):
        return None
    new, shown = changed_number(token.text)
    return Candidate(
        "change", token.start, token.end, f"(MUTANT ? {new} : {token.text})",
        f"change {token.text} to {shown} in `{shortened(line)}`")


def line_at(text, place):
    return text[text.rfind("\n", 0, place) + 1:end_of_line(text, place)]


# ---- Swift

TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}
BODIES = {"if", "while", "for", "switch", "do", "catch", "defer", "else", "repeat"}
ACCESSORS = {"get", "set", "didSet", "willSet", "_read", "_modify"}
STATEMENTS = {
    "if", "guard", "for", "while", "switch", "do", "defer", "repeat", "return", "throw", "break",
    "continue", "fallthrough", "func", "init", "deinit", "subscript", "var", "let", "import",
    "typealias", "case", "default", "associatedtype", "else", "catch", "in", "where", "is", "as",
    "self", "super", "inout", "some", "any", "throws", "rethrows", "operator",
} | TYPES | ACCESSORS - {"get", "set"}
CONTINUATIONS = {"else", "catch", "where", "throws", "async", "in", "is", "as"}


class SwiftReader:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text, True)
        self.found = []

    def candidates(self):
        if "@inlinable" in self.text or "@usableFromInline" in self.text:
            return []  # such code is compiled into other modules, which have another switch
        self.read_block(-1, len(self.tokens), "file", False)
        return self.found

    # -- Blocks and statements

    def is_start(self, index, first):
        """Whether a statement begins here, in a block whose first token is `first`."""
        if index == first:
            return True
        token, before = self.tokens[index], self.tokens[index - 1]
        if before.text == ";":
            return True
        if not token.starts_line:
            return False
        if before.kind == "sign" and before.text not in {")", "]", "}", "!", "?", ">"}:
            return False
        if token.kind == "sign" and token.text not in {"(", "[", "{", "@", "}"}:
            return False
        return token.text not in CONTINUATIONS

    def statements(self, opening, closing, kind):
        """Splits a block into pairs of indices. Labels of a switch are statements of their own."""
        first = opening + 1
        if kind == "closure":
            first = self.after_signature(opening, closing)
        index = begin = first
        result = []
        while index < closing:
            if index > begin and self.is_start(index, first):
                result.append((begin, index))
                begin = index
            token = self.tokens[index]
            is_label = kind == "switch" and self.tokens[begin].text in {"case", "default"}
            if token.text == ":" and is_label:
                result.append((begin, index + 1))
                begin = index + 1
            elif token.text in {"(", "[", "{"} and token.kind == "sign":
                index = token.partner
            index += 1
        if begin < closing:
            result.append((begin, closing))
        return result

    def after_signature(self, opening, closing):
        index = opening + 1
        if index < closing and self.tokens[index].text in {"for", "if", "guard", "while", "switch"}:
            return index
        while index < closing:
            token = self.tokens[index]
            if token.starts_line and index > opening + 1:
                break
            if token.text == "in":
                return index + 1
            if token.kind == "sign" and token.text in {"(", "[", "{"}:
                index = token.partner
            index += 1
        return opening + 1

    def read_block(self, opening, closing, kind, gives_value):
        statements = self.statements(opening, closing, kind)
        count = len(statements)
        label = None
        for number, (begin, end) in enumerate(statements):
            if kind == "switch" and self.tokens[begin].text in {"case", "default"}:
                label = number
                continue
            is_single = count == 1
            if kind == "switch":
                follows = statements[number + 1] if number + 1 < count else None
                is_last = follows is None or self.tokens[follows[0]].text in {"case", "default"}
                is_single = label == number - 1 and is_last
            may_be_value = is_single and gives_value
            self.read_statement(begin, end, kind, may_be_value)

    def read_statement(self, begin, end, kind, may_be_value):
        head = self.tokens[begin]
        if head.kind == "directive" or (kind == "type" and head.text in {"case", "indirect"}):
            return
        if kind not in {"type", "file", "var"} and not may_be_value:
            self.look_for_call(begin, end)
        pending, has_arrow, is_assigned, numbers = None, False, False, True
        index = begin
        while index < end:
            token = self.tokens[index]
            before = self.tokens[index - 1].text if index > begin else ""
            if token.kind == "word" and before != ".":
                word = token.text
                if word in {"func", "init", "deinit", "subscript"} and pending is None:
                    pending, numbers = word, False
                elif word in TYPES and not (word == "class" and pending):
                    pending, numbers = word, False
                elif word in {"if", "guard", "while"}:
                    pending = word
                    is_after_repeat = word == "while" and before == "}"
                    if not is_after_repeat:
                        self.look_for_conditions(index, end, word)
                elif word == "else":
                    pending = "guard-else" if pending == "guard" else "else"
                elif word in BODIES:
                    pending = word
                elif word in ACCESSORS and kind == "var":
                    pending = "set" if word in {"set", "didSet", "willSet"} else "get"
                elif word in {"var", "let"} and pending is None:
                    pending = word
                    # The first value of a variable is often arbitrary: a counter's, for example.
                    numbers = word == "let" or kind not in {"type", "file"}
                elif word in {"return", "throw"}:
                    is_assigned = True
                elif word == "case" and pending in {"if", "guard", "while", "for"}:
                    numbers = False
            if token.kind == "sign":
                if token.text == "->":
                    has_arrow = True
                elif token.text == "=":
                    is_assigned = True
                    if pending in {"var", "let"}:
                        pending = None
                    if pending in {"if", "guard", "while"}:
                        numbers = True
                elif token.text == "@":
                    index = self.after_attribute(index)
                    continue
                elif token.text == "{":
                    self.read_braces(index, pending, has_arrow, is_assigned or may_be_value)
                    if pending not in {"guard"}:
                        pending = None if pending in BODIES | {"guard-else"} else pending
                    index = token.partner
                elif token.text in {"(", "["}:
                    is_declaration = pending in {"func", "init", "subscript"} and not has_arrow
                    self.read_brackets(index, numbers and not is_declaration)
                    index = token.partner
            if token.kind == "number" and numbers:
                self.look_at_number(index)
            index += 1

    def after_attribute(self, index):
        index += 2
        if index < len(self.tokens) and self.tokens[index].text == "(":
            if self.tokens[index].start == self.tokens[index - 1].end:
                return self.tokens[index].partner + 1
        return index

    def read_braces(self, opening, pending, has_arrow, gives_value):
        closing = self.tokens[opening].partner
        if pending in TYPES:
            self.read_block(opening, closing, "type", False)
        elif pending in {"func", "init", "deinit"}:
            self.read_block(opening, closing, "func", has_arrow)
        elif pending in {"var", "subscript"}:
            self.read_block(opening, closing, "var", True)
        elif pending in {"get", "set"}:
            self.read_block(opening, closing, "func", pending == "get")
        elif pending in {"while", "for", "repeat", "defer", "guard-else"}:
            self.read_block(opening, closing, "block", False)
        elif pending in {"if", "else", "do", "catch"}:
            self.read_block(opening, closing, "block", gives_value)
        elif pending == "switch":
            self.read_block(opening, closing, "switch", gives_value)
        else:
            self.read_block(opening, closing, "closure", True)

    def read_brackets(self, opening, numbers):
        index = opening + 1
        while index < self.tokens[opening].partner:
            token = self.tokens[index]
            if token.kind == "sign" and token.text == "{":
                self.read_braces(index, None, False, False)
                index = token.partner
            elif token.kind == "sign" and token.text in {"(", "["}:
                self.read_brackets(index, numbers)
                index = token.partner
            elif token.kind == "number" and numbers:
                self.look_at_number(index)
            index += 1

    # -- What can be mutated

    def look_at_number(self, index):
        token = self.tokens[index]
        before = self.tokens[index - 1].text if index > 0 else ""
        if before == "." or (before == "<" and self.tokens[index + 1].text in {",", ">"}):
            return
        # A negative number is one literal. With a sign before it, it is read as one.
        if before == "-" and self.tokens[index - 1].end == token.start:
            return
        found = change(token, line_at(self.text, token.start))
        if found:
            self.found.append(found)

    def look_for_conditions(self, keyword, end, word):
        index = begin = keyword + 1
        clauses = []
        while index < end:
            token = self.tokens[index]
            if word == "guard" and token.text == "else" and token.kind == "word":
                break
            if token.kind == "sign":
                if token.text == "{":
                    if word != "guard":
                        break
                    index = token.partner
                elif token.text in {"(", "["}:
                    index = token.partner
                elif token.text == ",":
                    clauses.append((begin, index))
                    begin = index + 1
            index += 1
        if index >= end:
            return  # not understood
        clauses.append((begin, index))
        for first, after in clauses:
            self.look_at_clause(word, first, after)

    def look_at_clause(self, word, first, after):
        if first >= after or self.tokens[first].kind == "directive":
            return
        if self.tokens[first].text in {"let", "var", "case", "_"}:
            return
        index = first
        while index < after:
            token = self.tokens[index]
            if token.kind == "sign" and token.text == "=":
                return
            if token.kind == "sign" and token.text in {"(", "[", "{"}:
                index = token.partner
            index += 1
        start, end = self.tokens[first].start, self.tokens[after - 1].end
        clause = self.text[start:end]
        self.found.append(Candidate(
            "negate", start, end, f"(({clause}) != MUTANT)", f"negate `{shortened(clause)}` ({word})"))

    def look_for_call(self, begin, end):
        """A statement that is a path with a call at its end: `a.b?.c(d) { … }`."""
        index = begin
        while index < end and self.tokens[index].text in {"try", "await", "_", "=", "?", "unsafe"}:
            index += 1
        name = None
        while index < end:
            token = self.tokens[index]
            if token.kind == "word":
                if token.text in STATEMENTS - {"self", "super", "init"} or token.text == "self.init":
                    return
                if self.tokens[index - 1].text != "." and name is not None:
                    return
                name = token.text
            elif token.kind == "sign" and token.text in {"(", "["}:
                index = token.partner
            elif token.kind == "sign" and token.text == "{":
                if self.tokens[token.partner].partner is None:
                    return
                index = token.partner
            elif token.kind != "sign" or token.text not in {".", "?", "!"}:
                return
            index += 1
        last = self.tokens[end - 1]
        if name is None or name in UNDROPPABLE | {"init"} or last.text not in {")", "}"}:
            return
        if last.text == "}" and self.tokens[last.partner - 1].text == "else":
            return
        start, stop = self.tokens[begin].start, last.end
        call = self.text[start:stop]
        self.found.append(Candidate(
            "drop", start, stop, f"if !MUTANT {{ {call} }}", f"drop `{shortened(call)}`"))


# ---- C

C_KEYWORDS = {
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue",
    "goto", "sizeof", "static", "const", "struct", "union", "enum", "typedef", "extern", "volatile",
    "void", "char", "int", "unsigned", "float", "double", "bool", "long", "_Alignas", "_Static_assert",
}


class CReader:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text, False)
        self.found = []

    def candidates(self):
        index = 0
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text == "{":
                if index > 0 and self.tokens[index - 1].text == ")":
                    self.read_body(index, token.partner)
                index = token.partner
            elif token.text in {"(", "["}:
                index = token.partner
            index += 1
        return self.found

    def read_body(self, opening, closing):
        index = opening + 1
        starts = True
        while index < closing:
            token = self.tokens[index]
            before = self.tokens[index - 1]
            if starts and token.text in {"static", "case", "default", "enum"}:
                index = self.after_statement(index, closing, token.text in {"case", "default"})
                continue
            if starts and token.kind == "word" and token.text not in C_KEYWORDS:
                self.look_for_call(index, closing)
            if token.text in {"if", "while"} and token.kind == "word" and before.text != "}":
                self.look_at_condition(index)
            if token.text == "while" and before.text == "}" and self.is_plain_loop(index):
                self.look_at_condition(index)
            if token.text in {"if", "while", "for", "switch"} and token.kind == "word":
                head = index + 1
                self.read_numbers(head + 1, self.tokens[head].partner)
                index = self.tokens[head].partner + 1
                starts = True
                continue
            if token.text == "{" and before.text not in {")", ";", "}", "{", ":", "else", "do"}:
                index = token.partner  # a list of values
            elif token.text == "{" and before.text == ")" and not starts:
                index = token.partner  # a struct of values
            elif token.text == "[":
                index = token.partner
            elif token.kind == "number":
                self.look_at_number(index)
            starts = token.text in {"{", "}", ";", "else", "do"} and token.kind in {"sign", "word"}
            index += 1

    def after_statement(self, index, closing, is_label):
        while index < closing:
            token = self.tokens[index]
            if token.text == (":" if is_label else ";"):
                return index + 1
            if token.kind == "sign" and token.text in {"(", "[", "{"}:
                index = token.partner
            index += 1
        return index

    def is_plain_loop(self, index):
        """Whether this `while` is not the end of a `do`."""
        opening = self.tokens[index - 1].partner
        return self.tokens[opening - 1].text != "do"

    def read_numbers(self, begin, end):
        index = begin
        while index < end:
            token = self.tokens[index]
            if token.kind == "number":
                self.look_at_number(index)
            elif token.kind == "sign" and token.text in {"[", "{"}:
                index = token.partner
            index += 1

    def look_at_number(self, index):
        token = self.tokens[index]
        if self.tokens[index - 1].text in {".", "-"} and self.tokens[index - 1].end == token.start:
            return
        found = change(token, line_at(self.text, token.start))
        if found:
            self.found.append(found)

    def look_at_condition(self, keyword):
        opening = keyword + 1
        if self.tokens[opening].text != "(":
            return
        closing = self.tokens[opening].partner
        start, end = self.tokens[opening].start, self.tokens[closing].end
        condition = self.text[start:end]
        self.found.append(Candidate(
            "negate", start, end, f"((!{condition}) == MUTANT)",
            f"negate `{shortened(condition[1:-1])}` ({self.tokens[keyword].text})"))

    def look_for_call(self, begin, closing):
        index = begin
        name = self.tokens[begin].text
        while index + 1 < closing:
            token, after = self.tokens[index], self.tokens[index + 1]
            if token.kind == "word" and after.text in {".", "->"}:
                index += 2
                name = self.tokens[index].text
            elif token.kind == "word" and after.text == "(":
                index = after.partner + 1
                break
            else:
                return
        if index >= closing or self.tokens[index].text != ";" or name in UNDROPPABLE:
            return
        start, end = self.tokens[begin].start, self.tokens[index].end
        call = self.text[start:end]
        self.found.append(Candidate(
            "drop", start, end, f"{{ if (!MUTANT) {{ {call} }} }}", f"drop `{shortened(call[:-1])}`"))


def candidates(path, text):
    """Everything that could be mutated in a file, in the order of the text."""
    reader = SwiftReader(text) if path.endswith(".swift") else CReader(text)
    return sorted(reader.candidates(), key=lambda found: (found.start, found.end))
