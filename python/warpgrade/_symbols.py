# SPDX-License-Identifier: Apache-2.0
"""The `__constant__` and `__device__` variables of a module, as bytes that Python reads and sets."""

from __future__ import annotations

import os
from typing import Any

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

    def reject_arguments(self, arrays: list[tuple[str, Any]]) -> None:
        """Raises ValueError if one of `arrays`, each with its name for messages, is the memory of a variable."""
        for what, array in arrays:
            begin, end = byte_bounds(array)
            for name, content in self._bytes.items():
                own_begin, own_end = byte_bounds(content)
                if begin < own_end and own_begin < end:
                    raise ValueError(f"{what} is the variable {name}; a kernel uses it by its name. Pass a copy to "
                                     "have both")

    def reject_sequence(self) -> None:
        """Raises NotImplementedError if there are variables: a sequence starts with their initialisers."""
        if self._bytes:
            raise NotImplementedError(f"a sequence of launches cannot set the variable {next(iter(self._bytes))} of "
                                      "get_global; call the kernels one by one")
