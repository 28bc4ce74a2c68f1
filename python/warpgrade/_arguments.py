# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments: what the program gets for each, and how arrays come back.

CuPy's rules: an array is a pointer to its elements, a NumPy scalar or a structured 0-d value is passed by
value with its own bytes, None is the null pointer, a Python float is a double. A Python int or bool has the
width of the kernel's parameter and must fit into it (CuPy passes 8 bytes, of which the kernel reads the first).
"""

from __future__ import annotations

import os
import struct
import sys
from typing import Any, Optional

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
_NULL = "struct:" + 8 * "00"


def _is_ndarray(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def _is_generic(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def describe(value: Any) -> str:
    """The argument's type for a message: "numpy.int64 (8 bytes)", "float32 array of shape (32, 32)"."""
    if _is_ndarray(value) and not _by_value(value):
        return f"{value.dtype} array of shape {value.shape}, which is an address of 8 bytes"
    if _is_ndarray(value):
        return f"structure of {value.dtype.itemsize} bytes"
    if _is_generic(value):
        return f"numpy.{type(value).__name__} of {value.dtype.itemsize} byte{'s'[:value.dtype.itemsize != 1]}"
    if isinstance(value, (int, Spec)):
        return f"{type(value).__name__} {value}"
    if isinstance(value, float):
        return "float, which is a double of 8 bytes (numpy.float32(x) has 4)"
    if isinstance(value, complex):
        return "complex, which has 16 bytes (numpy.complex64(x) has 8)"
    return "None, which is an address of 8 bytes" if value is None else type(value).__name__


def _by_value(array: Any) -> bool:
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


class Arguments:
    """The arguments of one launch, as the program's options; `folder` holds the contents of the arrays."""

    def __init__(self, values: tuple[Any, ...], folder: str) -> None:
        self.values = values
        self.folder = folder
        self._arrays: dict[int, Any] = {}  # index of the argument to the array
        self.options: list[str] = []
        for index, value in enumerate(values):
            self.options += ["--arg", self._spec(index, value)]
        for index in self._arrays:
            self.options += ["--dump", f"{index}={self._path('out', index)}"]

    def arrays(self) -> dict[int, Any]:
        """Each array by the index of its first argument."""
        return dict(self._arrays)

    def read_back(self) -> None:
        """Changes the arrays in place to what the kernel left."""
        import numpy

        for index, array in self._arrays.items():
            _flat_bytes(array)[...] = numpy.fromfile(self._path("out", index), dtype=numpy.uint8)

    def _path(self, kind: str, index: int) -> str:
        return os.path.join(self.folder, f"{kind}{index}.bin")

    def _spec(self, index: int, value: Any) -> str:
        what = f"argument {index}"
        if isinstance(value, Spec):
            return str(value)
        if _is_ndarray(value):
            return self._array(index, what, value)
        if _is_generic(value):
            _reject_type(what, value.dtype)
            return "struct:" + value.tobytes().hex()
        if value is None:
            return _NULL
        if isinstance(value, int):
            if not -(1 << 63) <= value < 1 << 64:
                raise ValueError(f"{what} is {value}, which no 64-bit integer can store")
            return f"int:{int(value)}"
        if isinstance(value, float):
            return "struct:" + struct.pack("<d", value).hex()
        if isinstance(value, complex):
            return "struct:" + struct.pack("<dd", value.real, value.imag).hex()
        hint = "; cupy.asnumpy(x) makes a NumPy array of it" if type(value).__module__.startswith("cupy") else ""
        raise TypeError(f"{what} is a {type(value).__name__}; kernels take NumPy arrays, NumPy scalars, numbers "
                        f"and None{hint}")

    def _array(self, index: int, what: str, array: Any) -> str:
        _reject_type(what, array.dtype)
        if _by_value(array):
            return "struct:" + array.tobytes().hex()
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            raise ValueError(f"{what} is not contiguous (shape {array.shape}, strides {array.strides}); pass a copy: "
                             "numpy.ascontiguousarray(x)")
        if not array.flags.writeable:
            raise ValueError(f"{what} is read-only; a kernel may write to each of its arrays, so pass a copy: x.copy()")
        if array.size == 0:
            return _NULL
        same = self._same_memory(index, array)
        if same is not None:
            return f"same:{same}"
        self._arrays[index] = array
        path = self._path("in", index)
        content = _flat_bytes(array)
        content.tofile(path)
        kind = "u8" if array.dtype.names else _TYPES.get((array.dtype.kind, array.dtype.itemsize), "u8")
        size = int(kind[1:]) // 8
        return f"inout:{kind}:{content.size // size}:file:{path}"

    def _same_memory(self, index: int, array: Any) -> Optional[int]:
        """The index of the argument with the same memory, or None."""
        begin, end = byte_bounds(array)
        for other, known in self._arrays.items():
            other_begin, other_end = byte_bounds(known)
            if (begin, end) == (other_begin, other_end):
                return other
            if begin < other_end and other_begin < end:
                raise ValueError(f"arguments {other} and {index} overlap in memory; pass one array and an offset, "
                                 "or copies")
        return None
