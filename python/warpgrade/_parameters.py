# SPDX-License-Identifier: Apache-2.0
"""Checks arguments against a kernel's parameters, as the compiler knows them.

A scalar of the wrong type raises TypeError, because the kernel would read its bytes as another number. An array
whose elements have another type than what the pointer points to is a warning: the kernel may mean to view them.
"""

from __future__ import annotations

import re
from typing import Any, Optional

from warpgrade._arguments import Spec, is_by_value, is_generic, is_ndarray
from warpgrade._types import Parameter
from warpgrade.errors import ArgumentWarning, warn

# C++ types by their names, as kind and size in bytes. One-byte types are all "i": bytes, characters and bools.
_NUMBERS = {"bool": ("i", 1), "char": ("i", 1), "signed char": ("i", 1), "unsigned char": ("i", 1),
            "short": ("i", 2), "unsigned short": ("i", 2), "int": ("i", 4), "unsigned int": ("i", 4),
            "long": ("i", 8), "unsigned long": ("i", 8), "long long": ("i", 8), "unsigned long long": ("i", 8),
            "half": ("f", 2), "__half": ("f", 2), "float": ("f", 4), "double": ("f", 8)}
_VECTOR = re.compile(r"(u?)(char|short|int|long|longlong|float|double)[1-4](_\w+)?")
_COMPLEX = re.compile(r"(?:\w+::)*complex ?<(float|double) ?>")
_BFLOAT16 = ("nv_bfloat16", "__nv_bfloat16")
# NumPy's names of a number, for advice.
_NAMES = {("i", 1): "int8", ("i", 2): "int16", ("i", 4): "int32", ("i", 8): "int64", ("f", 2): "float16",
          ("f", 4): "float32", ("f", 8): "float64"}
# Python's arguments for a parameter without a known type, by its bytes.
_FITTING = {
    1: "bool, numpy.int8 or numpy.uint8",
    2: "numpy.int16, numpy.uint16 or numpy.float16",
    4: "numpy.int32 or numpy.uint32",
    8: "an array, numpy.int64 or numpy.uint64",
}
_FLOATS = {4: "numpy.float32", 8: "numpy.float64 or float"}
_STRUCTURE = "a structure (numpy.void, or a 0-d array with a structured dtype)"
_ALIGN = "; numpy.dtype([...], align=True) lays the fields out as C++ does"


def shown(cpp_type: str) -> str:
    """The type as people write it: "const float*" for "float const*"."""
    return re.sub(r"^([\w: ]+?(?:<.*>)?) const\b", r"const \1", cpp_type)


def _pointee(parameter: Parameter) -> Optional[str]:
    """The type behind a pointer, without const; None for other parameters and unknown types."""
    name = parameter["type"]
    if name is None or not name.endswith("*"):
        return None
    return re.sub(r" ?\b(const|volatile|__restrict__)\b", "", name[:-1]).strip()


def is_constant(parameter: Parameter) -> bool:
    """Whether the parameter is a pointer to const."""
    name = parameter["type"]
    return name is not None and re.search(r"\bconst ?\*$", name) is not None


def _number(cpp_type: str) -> Optional[tuple[str, int]]:
    """Kind and size of a number, or of the parts of a vector or complex number; None for other types."""
    vector, complex_number = _VECTOR.fullmatch(cpp_type), _COMPLEX.fullmatch(cpp_type)
    if vector:
        return _NUMBERS["long long" if vector[2] == "longlong" else vector[2]]
    return _NUMBERS.get(complex_number[1] if complex_number else cpp_type.removeprefix("__"), _NUMBERS.get(cpp_type))


def _numpy_name(cpp_type: str, number: tuple[str, int]) -> str:
    """NumPy's name of the number that the C++ type is or consists of."""
    return ("u" if cpp_type.startswith("u") and number[0] == "i" else "") + _NAMES[number]


def _of_dtype(dtype: Any) -> Optional[tuple[str, int]]:
    """The same for the elements of an array."""
    if dtype.kind in "iub":
        return "i", dtype.itemsize
    if dtype.kind == "c":
        return "f", dtype.itemsize // 2
    return ("f", dtype.itemsize) if dtype.kind == "f" else None


def describe(value: Any) -> str:
    """The argument's type for a message: "numpy.int64 of 8 bytes", "float32 array of shape (32, 32), ..."."""
    if is_ndarray(value) and not is_by_value(value):
        return f"{value.dtype} array of shape {value.shape}, which is an address of 8 bytes"
    if is_ndarray(value) or is_generic(value) and value.dtype.names:
        return f"structure of {value.dtype.itemsize} bytes"
    if is_generic(value):
        return f"numpy.{type(value).__name__} of {value.dtype.itemsize} byte{'s'[:value.dtype.itemsize != 1]}"
    if isinstance(value, (int, Spec)):
        return f"{type(value).__name__} {value}"
    if isinstance(value, float):
        return "float, which is a double of 8 bytes (numpy.float32(x) has 4)"
    if isinstance(value, complex):
        return "complex, which has 16 bytes (numpy.complex64(x) has 8)"
    return "None, which is an address of 8 bytes" if value is None else type(value).__name__


def _fits_integer(parameter: Parameter, value: Any) -> bool:
    """Whether a number fits a parameter that is an integer or an address."""
    size = parameter["bytes"]
    if isinstance(value, int):
        if parameter["type"] == "bool":
            return value in (0, 1)
        return -(1 << 8 * size - 1) <= value < 1 << 8 * size
    return is_generic(value) and value.dtype.kind in "iub" and value.dtype.itemsize == size


def _fits_structure(parameter: Parameter, value: Any) -> bool:
    """Whether a value fits a parameter that is a class: a structure, complex number or short float."""
    size, name = parameter["bytes"], parameter["type"]
    if isinstance(value, complex) and not is_generic(value):
        return size == 16
    if not is_generic(value) and not is_ndarray(value) or value.dtype.itemsize != size:
        return False
    if value.dtype.kind in "iub":
        return False
    return value.dtype.kind != "f" or size == 2 and name not in _BFLOAT16


def _fits(parameter: Parameter, value: Any) -> bool:
    """Whether the kernel reads what Python means."""
    pointee = _pointee(parameter)
    is_address = value is None or is_ndarray(value) and not is_by_value(value)
    if is_address or pointee is not None:
        return is_address and parameter["bytes"] == 8 and (pointee is not None or parameter["type"] is None)
    if parameter["kind"] == "structure":
        return _fits_structure(parameter, value)
    if parameter["kind"] == "integer or address":
        return _fits_integer(parameter, value)
    if isinstance(value, float) and not is_generic(value):
        return parameter["bytes"] == 8
    return is_generic(value) and value.dtype.kind == "f" and value.dtype.itemsize == parameter["bytes"]


def _wanted(parameter: Parameter) -> str:
    """The arguments that fit, for a message."""
    size = parameter["bytes"]
    pointee = _pointee(parameter)
    if pointee is not None:
        number = _number(pointee)
        return f"an array of {_numpy_name(pointee, number)}" if number else "an array"
    if parameter["type"] is not None and size == 8 and parameter["kind"] == "integer or address":
        return "numpy.int64 or numpy.uint64"
    if parameter["kind"] == "float":
        return _FLOATS[size]
    return _FITTING.get(size, _STRUCTURE) if parameter["kind"] != "structure" else _STRUCTURE


def _mismatch(kernel: str, index: int, parameter: Parameter, value: Any) -> str:
    name = parameter["name"] or f"parameter {index}"
    size = parameter["bytes"]
    cpp = f"; the parameter is of type `{shown(parameter['type'])}`" if parameter["type"] else ""
    is_record = (is_ndarray(value) or is_generic(value)) and value.dtype.names
    align = _ALIGN if is_record and parameter["kind"] == "structure" else ""
    return (f"argument {index} does not fit parameter `{name}` of {kernel}: expected {size} "
            f"byte{'s'[:size != 1]}, such as {_wanted(parameter)}; given {describe(value)}{cpp}{align}")


def _other_elements(parameter: Parameter, array: Any) -> str:
    """The difference between the elements of `array` and the type behind the pointer; "" for none."""
    pointee = _pointee(parameter)
    if pointee in (None, "void"):
        return ""
    dtype = array.dtype
    number = _number(pointee)
    if dtype.names or dtype.kind == "V":
        size = parameter["pointee_bytes"]
        if size in (0, 1, dtype.itemsize) and (number is None or size == 1 or _VECTOR.fullmatch(pointee)):
            return ""
        if pointee in _BFLOAT16:
            return ""
        return (f"has records of {dtype.itemsize} bytes, and a `{pointee}` has {size}" +
                (_ALIGN if number is None else f"; pass x.view(numpy.{_numpy_name(pointee, number)}) if that is meant"))
    if number is None or _of_dtype(dtype) == number:
        return ""
    name = _numpy_name(pointee, number)
    return (f"has elements of type {dtype}, and the parameter is `{shown(parameter['type'] or '')}`; pass x.astype(numpy.{name}) to "
            f"convert them, or x.view(numpy.{name}) if the kernel is to see their bytes")


def check(kernel: str, parameters: list[Parameter], values: tuple[Any, ...]) -> None:
    """Compares arguments with parameters.

    Raises:
        TypeError: their number differs, or an argument does not fit.
        ValueError: an array is read-only, and the kernel may write to it.
    """
    if len(values) != len(parameters):
        names = [one["name"] or f"parameter {i}" for i, one in enumerate(parameters)]
        listed = ", ".join(f"{name} ({one['bytes']} bytes)" for name, one in zip(names, parameters)) or "none"
        raise TypeError(f"{kernel} has {len(parameters)} parameters, {listed}; {len(values)} arguments are given")
    for index, (parameter, value) in enumerate(zip(parameters, values)):
        if isinstance(value, Spec):
            continue
        if not _fits(parameter, value):
            raise TypeError(_mismatch(kernel, index, parameter, value))
        if not is_ndarray(value) or is_by_value(value):
            continue
        name = parameter["name"] or str(index)
        if not value.flags.writeable and parameter["type"] is not None and not is_constant(parameter):
            raise ValueError(f"argument {index} is read-only, and {kernel} may write to it: parameter `{name}` is a "
                             f"`{shown(parameter['type'])}`. Declare it const, or pass a copy: x.copy()")
        other = _other_elements(parameter, value)
        if other:
            warn(f"argument {index}, for parameter `{name}` of {kernel}, {other}", ArgumentWarning)
