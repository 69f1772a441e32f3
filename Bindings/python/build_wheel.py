"""Builds the wheel of this package with only the standard library (PEP 517), so without a network.

There is nothing to compile: a wheel is the modules and three files about them in a zip.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def _project(key: str) -> str:
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        match = re.search(rf'^{key} = "(.*)"$', file.read(), re.MULTILINE)
    assert match, f"pyproject.toml has no {key}"
    return match[1]


def _read(*path: str) -> str:
    with open(os.path.join(HERE, *path), encoding="utf-8") as file:
        return file.read()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    name, version = _project("name"), _project("version")
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/{module}": _read(name, module) for module in sorted(os.listdir(os.path.join(HERE, name)))
        if module.endswith((".py", ".typed"))}
    files[f"{about}/METADATA"] = "\n".join([
        "Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {_project('description')}",
        f"Requires-Python: {_project('requires-python')}", f"License: {_project('license')}",
        "Description-Content-Type: text/markdown", "", _read(_project("readme"))])
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {name}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(text.encode())}")
    files[f"{about}/RECORD"] = "\n".join([*lines, f"{about}/RECORD,,", ""])
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return wheel
