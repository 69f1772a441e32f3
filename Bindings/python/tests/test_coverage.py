"""The package has every function of the C library, and uses it."""

import ast
import os
import re
import unittest

import audiosession
from audiosession import _native as native

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
#: Routes are values here, which need no copy.
NOT_USED = {"as_route_copy"}


def functions_of_c() -> set[str]:
    with open(os.path.join(ROOT, "Packaging", "symbols.txt"), encoding="utf-8") as file:
        return {name for name in file.read().split() if re.match(r"as_(?!cf_)", name)}


class Coverage(unittest.TestCase):
    def test_every_function_of_c_has_a_signature(self) -> None:
        self.assertEqual(set(native.FUNCTIONS), functions_of_c())

    def test_every_function_of_c_is_called(self) -> None:
        folder = os.path.dirname(audiosession.__file__)
        called = set()
        for name in os.listdir(folder):
            if not name.endswith(".py") or name == "_native.py":
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                called |= {
                    node.value for node in ast.walk(ast.parse(file.read()))
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        self.assertEqual(functions_of_c() - called, NOT_USED)

    def test_everything_public_is_documented(self) -> None:
        for name in audiosession.__all__:
            value = getattr(audiosession, name)
            self.assertTrue(value.__doc__, name)
            if not isinstance(value, type):
                continue
            for member, function in vars(value).items():
                if not member.startswith("_") and (callable(function) or isinstance(function, property)):
                    self.assertTrue(function.__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
