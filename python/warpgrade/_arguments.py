# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments: what the program gets for each, and how arrays come back. `_parameters` checks them.

CuPy's rules: an array is a pointer to its elements, a NumPy scalar or a structured 0-d value is passed by
value with its own bytes, None is the null pointer, a Python float is a double. A Python int or bool has the
width of the kernel's parameter and must fit into it (CuPy passes 8 bytes, of which the kernel reads the first).
"""

from __future__ import annotations

import os
import struct
import sys
from typing import Any

# By dtype.kind and size in bytes; other types are passed as rows of bytes.
_TYPES = {
    **{("i", size): f"i{8 * size}" for size in (1, 2, 4, 8)},
    **{("u", size): f"u{8 * size}" for size in (1, 2, 4, 8)},
    **{("f", size): f"f{8 * size}" for size in (2, 4, 8)},
    ("b", 1): "u8",
    ("c", 8): "f32",
    ("c", 16): "f64",
    ("V", 2): "u16",  # bfloat16 of ml_dtypes
}


def is_ndarray(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def is_generic(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def is_by_value(array: Any) -> bool:
    return array.ndim == 0 and array.dtype.names is not None


def _reject_byte_order(what: str, dtype: Any) -> None:
    if not dtype.isnative or sys.byteorder != "little":
        raise ValueError(f"{what} is big-endian ({dtype}); pass x.astype(x.dtype.newbyteorder('<'))")


def _reject_type(what: str, dtype: Any) -> None:
    known = (dtype.kind, dtype.itemsize) in _TYPES or (dtype.kind == "V" and not dtype.hasobject)
    if not known:
        raise TypeError(f"{what} has the type {dtype}; kernels know bool, int8 to uint64, float16 to float64, "
                        "complex64, complex128 and structures of these")
    _reject_byte_order(what, dtype)


def _flat_bytes(array: Any) -> Any:
    """The elements in the order of memory, as a view of bytes."""
    import numpy

    plain = array.view(numpy.ndarray)
    flat = plain.reshape(-1) if plain.flags.c_contiguous else plain.T.reshape(-1)
    return flat.view(numpy.uint8)


def byte_bounds(array: Any) -> tuple[int, int]:
    """The addresses of the first byte and behind the last one."""
    import numpy

    # NumPy 2 has moved the function.
    home = numpy.lib.array_utils if hasattr(numpy.lib, "array_utils") else numpy
    begin, end = home.byte_bounds(array)
    return begin, end


class Spec(str):
    """An argument in the words of `warpgrade profile --arg`, such as "in:f32:1024:iota"."""


class Arrays:
    """The memory that arrays share with launches; `folder` holds its contents. Views of the same bytes are one."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: list[tuple[str, Any]] = []  # what it is, for messages, and the array

    def add(self, what: str, array: Any) -> int:
        """The number of the memory of `array`.

        Raises:
            ValueError: it shares some bytes with another one.
        """
        begin, end = byte_bounds(array)
        for number, (other, known) in enumerate(self._known):
            other_begin, other_end = byte_bounds(known)
            if (begin, end) == (other_begin, other_end):
                if array.flags.writeable and not known.flags.writeable:
                    self._known[number] = (other, array)
                return number
            if begin < other_end and other_begin < end:
                raise ValueError(f"{other} and {what} overlap in memory; pass one array and an offset, or copies")
        self._known.append((what, array))
        return len(self._known) - 1

    def all(self) -> list[tuple[str, Any]]:
        """The arrays by their numbers, each with its name for messages."""
        return list(self._known)

    def spec(self, number: int) -> str:
        """Writes the array's content; returns the program's description of the buffer."""
        array = self._known[number][1]
        path = self._path("in", number)
        content = _flat_bytes(array)
        content.tofile(path)
        how = "inout" if array.flags.writeable else "in"
        kind = _TYPES.get((array.dtype.kind, array.dtype.itemsize))
        if array.dtype.names or kind is None:
            return f"{how}:r{array.dtype.itemsize}:{array.size}:file:{path}"
        elements = content.size * 8 // int(kind[1:])
        # Findings have an index for each dimension, in the order in which NumPy prints.
        extents = "x".join(map(str, array.shape))
        is_shaped = array.ndim > 1 and array.flags.c_contiguous and elements == array.size
        return f"{how}:{kind}:{extents if is_shaped else elements}:file:{path}"

    def dumps(self, numbers: dict[int, int]) -> list[str]:
        """Options to write the results; `numbers` has the program's index of each array."""
        return [word for number, index in numbers.items() if self._known[number][1].flags.writeable
                for word in ("--dump", f"{index}={self._path('out', number)}")]

    def read_back(self) -> None:
        """Changes the arrays in place to what the kernel left."""
        import numpy

        for number, (_, array) in enumerate(self._known):
            if array.flags.writeable:
                _flat_bytes(array)[...] = numpy.fromfile(self._path("out", number), dtype=numpy.uint8)

    def _path(self, kind: str, number: int) -> str:
        return os.path.join(self._folder, f"{kind}{number}.bin")


def reject_array(what: str, array: Any) -> None:
    """Raises TypeError or ValueError for an array that no kernel can have."""
    _reject_type(what, array.dtype)
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError(f"{what} is not contiguous (shape {array.shape}, strides {array.strides}); pass a copy: "
                         "numpy.ascontiguousarray(x)")


def is_address(value: Any) -> bool:
    """Whether the value is an array whose address the kernel gets."""
    return is_ndarray(value) and not is_by_value(value) and value.size > 0


def value_bytes(what: str, value: Any, size: int) -> bytes:
    """The bytes of a value that is no array; `size` is the width of the parameter, for a Python int.

    Raises:
        TypeError, ValueError: a kernel cannot have this value.
    """
    if is_generic(value) or is_ndarray(value):
        _reject_type(what, value.dtype)
        return bytes(8) if is_ndarray(value) and not is_by_value(value) else bytes(value.tobytes())
    if value is None:
        return bytes(8)
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 64:
            raise ValueError(f"{what} is {value}, which no 64-bit integer can store")
        return (int(value) % (1 << 8 * size)).to_bytes(size, "little")
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, complex):
        return struct.pack("<dd", value.real, value.imag)
    hint = "; cupy.asnumpy(x) makes a NumPy array of it" if type(value).__module__.startswith("cupy") else ""
    raise TypeError(f"{what} is a {type(value).__name__}; kernels take NumPy arrays, NumPy scalars, numbers "
                    f"and None{hint}")


def options(values: tuple[Any, ...], sizes: list[int], arrays: Arrays) -> list[str]:
    """The arguments of one launch as the program's options; `sizes` are those of the parameters."""
    numbers = {index: arrays.add(f"argument {index}", value)
               for index, value in enumerate(values) if is_address(value)}
    specs: list[str] = []
    firsts: dict[int, int] = {}  # number of the memory to the index of its first argument
    for index, value in enumerate(values):
        if index in numbers and numbers[index] in firsts:
            specs.append(f"same:{firsts[numbers[index]]}")
        elif index in numbers:
            firsts[numbers[index]] = index
            specs.append(arrays.spec(numbers[index]))
        elif isinstance(value, Spec):
            specs.append(str(value))
        else:
            specs.append("struct:" + value_bytes(f"argument {index}", value, sizes[index]).hex())
    return [*(word for spec in specs for word in ("--arg", spec)), *arrays.dumps(firsts)]
