"""Reads audiosession.h: its enums, structs, opaque types, handlers and functions.

The header uses a small part of C. A declaration outside of it is an error here, not a wrong binding.
"""

import re
from dataclasses import dataclass, field

INTEGERS = ("uint8_t", "uint32_t", "int32_t", "uint64_t", "float", "double", "bool", "char", "void")


@dataclass
class Constant:
    name: str
    value: int
    comment: str


@dataclass
class Enum:
    name: str
    constants: list[Constant] = field(default_factory=list)

    @property
    def is_flags(self) -> bool:
        return self.name.endswith("_option")

    def short(self, constant: Constant) -> str:
        """The constant without the prefix of the enum's constants."""
        if self.name == "as_status":
            return constant.name.removeprefix("AS_").removeprefix("ERROR_")
        names = [other.name for other in self.constants]
        length = min(map(len, names))
        common = next((i for i in range(length) if len({name[i] for name in names}) > 1), length)
        return constant.name[names[0].rindex("_", 0, common) + 1:]

    @property
    def title(self) -> str:
        return title(self.name.removeprefix("as_"))


@dataclass
class Variable:
    """A member of a struct or a parameter of a function."""
    name: str
    base: str
    pointers: int
    is_const: bool
    count: int = 0


@dataclass
class Struct:
    name: str
    members: list[Variable]

    @property
    def title(self) -> str:
        return title(self.name.removeprefix("as_"))


@dataclass
class Function:
    name: str
    result: Variable
    parameters: list[Variable]
    declaration: str


@dataclass
class Header:
    text: str
    enums: dict[str, Enum]
    structs: dict[str, Struct]
    opaque: list[str]
    handlers: dict[str, list[Variable]]
    functions: list[Function]
    numbers: dict[str, int]

    def is_handle(self, variable: Variable) -> bool:
        return variable.base in self.opaque


def title(words: str) -> str:
    return "".join(word.capitalize() for word in words.split("_"))


def parse(text: str) -> Header:
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    numbers = {name: int(value) for name, value in re.findall(r"^#define (AS_\w+) (\d+)$", plain, re.MULTILINE)}
    enums = {}
    for body, name in re.findall(r"typedef enum \w+ \{(.*?)\} (\w+);", text, re.DOTALL):
        enums[name] = Enum(name, [
            Constant(constant, int(value, 0), " ".join(comment.split()))
            for constant, value, comment in re.findall(
                r"\b(AS_\w+) = (0x[0-9a-f]+|\d+),?[ \t]*(?:/\* (.*?) \*/)?", body)])
        if len(enums[name].constants) != body.count(" = "):
            raise SystemExit(f"audiosession.h has a constant of {name} that Scripts/bindings/header.py cannot read")
    structs = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", plain, re.DOTALL):
        members = [member.strip() for member in body.split(";") if member.strip()]
        structs[name] = Struct(name, [variable(member, numbers) for member in members])
    opaque = re.findall(r"typedef struct (\w+) \1;", plain)
    handlers = {
        name: [variable(part, numbers) for part in parameters.split(",")]
        for name, parameters in re.findall(r"typedef void \(\*(\w+)\)\(([^)]*)\);", plain)}
    functions = []
    for declaration in re.findall(r"^AS_API ([^;]*);", plain, re.MULTILINE):
        declaration = " ".join(declaration.split()).replace("( ", "(")
        match = re.fullmatch(r"(.*?)(\w+)\((.*)\)", declaration)
        parameters = [] if match[3] == "void" else [variable(part, numbers) for part in match[3].split(",")]
        functions.append(Function(match[2], variable(match[1] + "_", numbers), parameters, declaration))
    header = Header(text, enums, structs, opaque, handlers, functions, numbers)
    known = {*INTEGERS, *enums, *structs, *opaque, *handlers}
    for one in [v for s in structs.values() for v in s.members] + [v for f in functions for v in f.parameters]:
        if one.base not in known:
            raise SystemExit(f"audiosession.h has a type that Scripts/bindings/header.py does not know: {one.base} {one.name}")
    if len(functions) != len(re.findall(r"^AS_API ", plain, re.MULTILINE)):
        raise SystemExit("audiosession.h has a declaration with AS_API that is no function")
    return header


def variable(text: str, numbers: dict[str, int]) -> Variable:
    plain = text.strip().replace("*const *", "**")  # the bindings write none of these arrays
    match = re.fullmatch(r"(const )?(\w+) (\**)(\w+)(?:\[(\w+)\])?", plain)
    if not match:
        raise SystemExit(f"audiosession.h has a declaration that Scripts/bindings/header.py cannot read: {text.strip()}")
    count = match[5] or "0"
    return Variable(match[4], match[2], len(match[3]), bool(match[1]), numbers.get(count) or int(count))
