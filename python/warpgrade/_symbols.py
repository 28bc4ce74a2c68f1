# SPDX-License-Identifier: Apache-2.0
"""The `__constant__` and `__device__` variables of a module, as bytes that Python reads and sets."""

from __future__ import annotations

import json
import os
from typing import Any

from warpgrade import _program
from warpgrade._arguments import byte_bounds


class Symbols:
    """Variables that `RawModule.get_global` has returned: name to a NumPy array of bytes."""

    def __init__(self) -> None:
        self._bytes: dict[str, Any] = {}

    def get(self, name: str) -> Any:
        """The bytes of a variable that was added, or None."""
        return self._bytes.get(name)

    def add(self, name: str, listed: dict[str, Any]) -> Any:
        """Adds one of the variables that the program listed; returns its bytes with the initial content."""
        import numpy

        content = numpy.zeros(listed["bytes"], numpy.uint8)
        initial = numpy.frombuffer(bytes.fromhex(listed["initial"]), numpy.uint8)
        content[: initial.size] = initial
        self._bytes[name] = content
        return content

    def options(self, folder: str) -> list[str]:
        """The program's options for a launch that starts with these contents; `folder` holds them."""
        out = []
        for index, (name, content) in enumerate(self._bytes.items()):
            path = os.path.join(folder, f"symbol{index}.bin")
            content.tofile(path)
            out += ["--symbol", f"{name}=inout:u8:{content.size}:file:{path}", "--dump", f"{name}={path}.out"]
        return out

    def read_back(self, folder: str) -> None:
        """Changes the contents in place to what the kernel left."""
        import numpy

        for index, content in enumerate(self._bytes.values()):
            content[...] = numpy.fromfile(os.path.join(folder, f"symbol{index}.bin.out"), numpy.uint8)

    def reject_arguments(self, arrays: dict[int, Any]) -> None:
        """Raises ValueError if one of `arrays`, by index of the argument, is the memory of a variable."""
        for index, array in arrays.items():
            begin, end = byte_bounds(array)
            for name, content in self._bytes.items():
                own_begin, own_end = byte_bounds(content)
                if begin < own_end and own_begin < end:
                    raise ValueError(f"argument {index} is the variable {name}; a kernel uses it by its name. Pass a "
                                     "copy to have both")


def listed(source: str, options: list[str], folder: str) -> Any:
    """The program's list of the variables of `source`, or its report if the source does not compile.

    Raises:
        ValueError, ToolError: as for a call.
    """
    symbols, report = os.path.join(folder, "symbols.json"), os.path.join(folder, "report.json")
    done = _program.run(["profile", source, *options, "--list-symbols", symbols, "--json", report], folder)
    for path in (symbols, report):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return json.load(file)
    return _program.raise_failure(done)
