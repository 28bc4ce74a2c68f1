# SPDX-License-Identifier: Apache-2.0
"""The TOML file of a sequence of launches, as `warpgrade profile --sequence` reads it (docs/cli.md)."""

from __future__ import annotations

import json
import pathlib
from typing import Any, NamedTuple

from warpgrade import _arguments
from warpgrade._types import Parameter


class Step(NamedTuple):
    """One launch."""

    kernel: str
    grid: list[int]
    block: list[int]
    shared: int
    is_cooperative: bool
    values: tuple[Any, ...]
    parameters: list[Parameter]


def _table(kind: str, **keys: Any) -> str:
    return f"[[{kind}]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())


def _by_value(name: str, content: bytes) -> str:
    """A value of any type, as a structure of bytes."""
    return _table("struct", name=name) + "".join(
        _table("struct.field", name=f"b{i}", type="u8", value=str(byte)) for i, byte in enumerate(content))


def write(path: str, steps: list[Step], rounds: int, arrays: _arguments.Arrays) -> list[str]:
    """Writes the file; returns the options that dump its arrays."""
    values: list[str] = []
    launches: list[str] = []
    called: dict[int, str] = {}  # the array's number to its name: its first parameter's, if that is free
    for step in steps:
        names = []
        for index, (value, parameter) in enumerate(zip(step.values, step.parameters)):
            what = f"argument {index} of launch {len(launches)}, {step.kernel},"
            if _arguments.is_address(value):
                number = arrays.add(what, value)
                wanted = parameter["name"] or "array"
                is_free = wanted not in called.values() and not wanted.startswith("value")
                names.append(called.setdefault(number, wanted if is_free else f"{wanted}{number}"))
                continue
            names.append(f"value{len(values)}")
            values.append(_by_value(names[-1], _arguments.value_bytes(what, value, parameter["bytes"])))
        launches.append(_table("launch", kernel=step.kernel, grid=[str(one) for one in step.grid],
                               block=[str(one) for one in step.block], shared=str(step.shared),
                               arguments=names) + ("cooperative = true\n" if step.is_cooperative else ""))
    numbers = range(len(arrays.all()))
    buffers = [_table("buffer", name=called[number], spec=arrays.spec(number)) for number in numbers]
    head = f"rounds = {json.dumps(str(rounds))}\n"
    pathlib.Path(path).write_text(head + "".join([*buffers, *values, *launches]), "utf-8")
    return arrays.dumps({number: number for number in numbers})
