# SPDX-License-Identifier: Apache-2.0
"""CuPy's kernels whose source is generated: `ElementwiseKernel` and `ReductionKernel`.

In: parameters ("float32 x, raw T y") and expressions in CUDA C++. Out: the source of a kernel, which is compiled
once per set of types. Inputs that are broadcast or not contiguous are copied first; CuPy's kernels read them in
place. Element i of a parameter has its name; of a `raw` one, `y[i]`, `y.size()` and `y.shape()` are for the kernel.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from warpgrade.errors import KernelError
from warpgrade.kernels import RawKernel
from warpgrade.runs import Run

_BLOCK = 256
_CPP = {"b1": "bool", "i1": "signed char", "i2": "short", "i4": "int", "i8": "long long", "u1": "unsigned char",
        "u2": "unsigned short", "u4": "unsigned", "u8": "unsigned long long", "f2": "__half", "f4": "float",
        "f8": "double", "c8": "complex<float>", "c16": "complex<double>"}
# Headers by a word that needs them; each costs some tenths of a second.
_HEADERS = {"complex<": "cupy/complex.cuh", "half": "cuda_fp16.h"}
_PARAMETER = re.compile(r"((?:raw|const|_non_const)\s+)*(\w+)\s+(\w+)")
_HEAD = r"""// The elements of a raw parameter, in C order.
template <typename T, int N> struct RawArray {
  T* data;
  long long extents[N];
  __device__ long long size() const { long long n = 1; for (long long one : extents) n *= one; return n; }
  __device__ const long long* shape() const { return extents; }
  __device__ T& operator[](long long i) const { return data[i]; }
  __device__ T& operator[](const long long* index) const {
    long long i = 0;
    for (int k = 0; k < N; ++k) i = i * extents[k] + index[k];
    return data[i];
  }
};
// The index of an element of the result.
template <int N> struct Indexer {
  long long extents[N], index[N];
  __device__ long long size() const { long long n = 1; for (long long one : extents) n *= one; return n; }
  __device__ const long long* shape() const { return extents; }
  __device__ void set(long long i) {
    for (int k = N; k-- > 0; i /= extents[k]) index[k] = i % extents[k];
  }
  __device__ const long long* get() const { return index; }
};
"""


class _Parameter(NamedTuple):
    name: str
    type: str  # a name of NumPy, or a placeholder such as T
    is_raw: bool


def _dtype(name: str) -> Optional[Any]:
    """The NumPy type of this name; None for a placeholder."""
    try:
        return np.dtype(name) if len(name) > 1 else None
    except TypeError:
        return None


def _parameters(text: str) -> list[_Parameter]:
    out = []
    for one in filter(str.strip, text.split(",")):
        found = _PARAMETER.fullmatch(one.strip())
        if found is None:
            raise ValueError(f"{one.strip()!r} is not a parameter; write a type and a name, such as 'float32 x' or "
                             "'raw T y'")
        out.append(_Parameter(found[3], found[2], re.search(r"\braw\b", one) is not None))
    return out


def _cpp(dtype: Any) -> str:
    name = _CPP.get(f"{dtype.kind}{dtype.itemsize}")
    if name is None:
        raise TypeError(f"a generated kernel cannot have elements of type {dtype}")
    return name


def _resolve(parameters: list[_Parameter], values: Sequence[Any], types: dict[str, Any]) -> None:
    """Adds the types of placeholders to `types`: those of arrays and NumPy scalars, then those of Python numbers.

    Raises:
        TypeError: two arguments disagree, or an argument is not of its parameter's type.
    """
    for parameter, value in zip(parameters, values):
        if isinstance(value, (np.ndarray, np.generic)):
            known = _dtype(parameter.type) or types.setdefault(parameter.type, value.dtype)
            if known != value.dtype and isinstance(value, np.ndarray):
                raise TypeError(f"parameter `{parameter.name}` is {known}, and its argument is {value.dtype}; pass "
                                f"x.astype({str(known)!r})")
    for parameter, value in zip(parameters, values):
        if not isinstance(value, (np.ndarray, np.generic)) and _dtype(parameter.type) is None:
            types.setdefault(parameter.type, np.dtype(type(value)))


def _type_of(parameter: _Parameter, types: dict[str, Any]) -> Any:
    found = _dtype(parameter.type) or types.get(parameter.type)
    if found is None:
        raise TypeError(f"the type {parameter.type} of `{parameter.name}` follows from no argument")
    return found


class _Call:
    """The parameters and arguments of the generated kernel, and the declarations in it."""

    def __init__(self) -> None:
        self.parameters: list[str] = []
        self.before: list[str] = []  # declarations for all elements
        self.inside: list[str] = []  # those for element i
        self.arguments: list[Any] = []

    def add(self, parameter: _Parameter, dtype: Any, value: Any, constant: str, index: str) -> None:
        """Adds one parameter, whose element is at `index`; `constant` is "const " for inputs."""
        cpp, name = _cpp(dtype), parameter.name
        if not isinstance(value, np.ndarray):
            self.parameters.append(f"{cpp} {name}")
            self.arguments.append(dtype.type(value))
        elif parameter.is_raw:
            self.add_extents(name, value.shape, f"RawArray<{cpp}, {max(value.ndim, 1)}> {name}{{_{name}_data, {{%s}}}};")
            self.parameters.append(f"{cpp}* _{name}_data")
            self.arguments.append(value)
        else:
            self.parameters.append(f"{constant}{cpp}* _{name}_data")
            self.arguments.append(value)
            self.inside.append(f"{constant}{cpp}& {name} = _{name}_data[{index}];")

    def add_extents(self, name: str, shape: tuple[int, ...], declaration: str) -> None:
        names = [f"_{name}_{k}" for k in range(max(len(shape), 1))]
        self.parameters += [f"long long {one}" for one in names]
        self.arguments += [np.int64(one) for one in shape or (1,)]
        self.before.append(declaration % ", ".join(names))


class _GeneratedKernel:
    """What both kinds share: parameters, compiled kernels by their source, and the launch."""

    def __init__(self, in_params: str, out_params: str, name: str, preamble: str, options: Sequence[str],
                 kernel_class: type[RawKernel]) -> None:
        self.name = name
        self._ins, self._outs = _parameters(in_params), _parameters(out_params)
        self._preamble = preamble
        self._options = tuple(options)
        self._class = kernel_class
        self._kernels: dict[str, RawKernel] = {}
        self.last_run: Optional[Run] = None  # the counters and the time of the last call

    def _split(self, args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        if len(args) not in (len(self._ins), len(self._ins) + len(self._outs)):
            raise TypeError(f"{self.name} has {len(self._ins)} inputs and {len(self._outs)} outputs, and {len(args)} "
                            "arguments are given; outputs are optional")
        for index, value in enumerate(args):
            if not isinstance(value, (np.ndarray, np.generic, int, float, complex)):
                raise TypeError(f"argument {index} is a {type(value).__name__}; it must be an array or a number")
        return list(args[:len(self._ins)]), list(args[len(self._ins):])

    def _launch(self, call: _Call, types: dict[str, Any], body: str, grid: int, more: dict[str, Any]) -> None:
        typedefs = "".join(f"typedef {_cpp(dtype)} {name};\n" for name, dtype in types.items())
        code = f"{typedefs}{self._preamble}{' '.join(call.parameters)}{body}"
        includes = "".join(f"#include <{header}>\n" for word, header in _HEADERS.items() if word in code)
        source = (f"{includes}{_HEAD}{typedefs}{self._preamble}\n"
                  f"extern \"C\" __global__ void {self.name}({', '.join(call.parameters)}) {{\n{body}}}\n")
        kernel = self._kernels.get(source)
        if kernel is None:
            kernel = self._kernels[source] = self._class(source, self.name, self._options)
        try:
            self.last_run = kernel((max(grid, 1),), (_BLOCK,), tuple(call.arguments), **more)
        except KernelError as error:
            error.add_note(f"in the generated source:\n{source}") if hasattr(error, "add_note") else None
            raise


class ElementwiseKernel(_GeneratedKernel):
    """CuPy's ElementwiseKernel: `operation` for each element of broadcast arrays; `i` is its index.

    Args: as CuPy's. A call has the inputs, then optionally the outputs, `size=` for kernels whose parameters are
    all raw, and the keywords `device`, `backend` and `page` of a RawKernel's call.
    """

    def __init__(self, in_params: str, out_params: str, operation: str, name: str = "kernel", reduce_dims: bool = True,
                 preamble: str = "", no_return: bool = False, return_tuple: bool = False, *,
                 options: Sequence[str] = (), loop_prep: str = "", after_loop: str = "",
                 kernel_class: type[RawKernel] = RawKernel) -> None:
        del reduce_dims
        super().__init__(in_params, out_params, name, preamble, options, kernel_class)
        self._operation, self._loop_prep, self._after_loop = operation, loop_prep, after_loop
        self._no_return, self._return_tuple = no_return, return_tuple

    def __call__(self, *args: Any, size: Optional[int] = None, stream: Any = None, block_size: int = -1,
                 **more: Any) -> Any:
        del stream, block_size
        ins, outs = self._split(args)
        types: dict[str, Any] = {}
        _resolve(self._ins + self._outs, [*ins, *outs], types)
        shaped = [value for one, value in zip(self._ins + self._outs, [*ins, *outs])
                  if isinstance(value, np.ndarray) and not one.is_raw]
        if size is None and not shaped and any(isinstance(one, np.ndarray) for one in [*ins, *outs]):
            raise ValueError(f"all arrays of {self.name} are raw; pass size=, the number of elements")
        shape = (size,) if size is not None and not shaped else np.broadcast_shapes(*(one.shape for one in shaped))
        made = outs or [np.empty(shape, _type_of(one, types)) for one in self._outs]
        for one, value in zip(self._outs, made):
            if not one.is_raw and value.shape != shape:
                raise ValueError(f"output `{one.name}` has the shape {value.shape}, and the inputs have {shape}")
        call = _Call()
        call.add_extents("ind", shape, f"Indexer<{max(len(shape), 1)}> _ind{{{{%s}}}};")
        for one, value in zip(self._ins, ins):
            if isinstance(value, np.ndarray):
                value = np.ascontiguousarray(value if one.is_raw else np.broadcast_to(value, shape))
            call.add(one, _type_of(one, types), value, "const ", "i")
        buffers = [np.ascontiguousarray(one) for one in made]
        for one, buffer in zip(self._outs, buffers):
            call.add(one, _type_of(one, types), buffer, "", "i")
        if math.prod(shape) > 0:
            self._launch(call, types, self._body(call), -(-math.prod(shape) // _BLOCK), more)
        for value, buffer in zip(made, buffers):
            if value is not buffer:
                value[...] = buffer
        if self._no_return:
            return None
        return made[0] if len(made) == 1 and not self._return_tuple else tuple(made)

    def _body(self, call: _Call) -> str:
        return "\n".join([
            *call.before, f"{self._loop_prep};",
            "for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < _ind.size();",
            "     i += static_cast<long long>(blockDim.x) * gridDim.x) {", "_ind.set(i);", *call.inside,
            f"{self._operation};", "}", f"{self._after_loop};", ""])


class ReductionKernel(_GeneratedKernel):
    """CuPy's ReductionKernel: `reduce_expr` of `a` and `b` over the elements that `map_expr` makes.

    Args: as CuPy's. A call has the inputs, optionally the output, `axis`, `keepdims`, and the keywords `device`,
    `backend` and `page` of a RawKernel's call. One block reduces one element of the result.
    """

    def __init__(self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str,
                 identity: Any, name: str = "reduce_kernel", reduce_type: Optional[str] = None,
                 reduce_dims: bool = True, preamble: str = "", options: Sequence[str] = (), *,
                 kernel_class: type[RawKernel] = RawKernel) -> None:
        del reduce_dims
        super().__init__(in_params, out_params, name, preamble, options, kernel_class)
        if len(self._outs) != 1:
            raise ValueError(f"a reduction has one output; {out_params!r} has {len(self._outs)}")
        self._map, self._reduce, self._post = map_expr, reduce_expr, post_map_expr
        self._identity = "" if identity is None else str(identity)
        self._reduce_type = reduce_type

    def __call__(self, *args: Any, axis: Any = None, keepdims: bool = False, out: Any = None, stream: Any = None,
                 **more: Any) -> Any:
        del stream
        ins, outs = self._split([*args, out] if out is not None else args)
        types: dict[str, Any] = {}
        _resolve(self._ins + self._outs, [*ins, *outs], types)
        shape = np.broadcast_shapes(*(value.shape for one, value in zip(self._ins, ins)
                                      if isinstance(value, np.ndarray) and not one.is_raw))
        axes = tuple(range(len(shape))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = tuple(one % len(shape) for one in axes) if shape else ()
        kept = [one for one in range(len(shape)) if one not in axes]
        inner = math.prod(shape[one] for one in axes)
        if inner == 0 and not self._identity:
            raise ValueError(f"{self.name} has no identity, and the input has no elements")
        result = tuple(1 if one in axes else shape[one] for one in range(len(shape)) if keepdims or one in kept)
        made = outs[0] if outs else np.empty(result, _type_of(self._outs[0], types))
        if made.shape != result:
            raise ValueError(f"the output has the shape {made.shape}; the result has {result}")
        call = _Call()
        for one, value in zip(self._ins, ins):
            if isinstance(value, np.ndarray) and not one.is_raw:
                value = np.ascontiguousarray(np.broadcast_to(value, shape).transpose(*kept, *axes))
            call.add(one, _type_of(one, types), value, "const ", "i")
        buffer = np.ascontiguousarray(made)
        inside, call.inside = call.inside, []
        call.add(self._outs[0], _type_of(self._outs[0], types), buffer, "", "_o")
        call.parameters += ["long long _outer", "long long _inner"]
        call.arguments += [np.int64(math.prod(result)), np.int64(inner)]
        if made.size > 0:
            self._launch(call, types, self._body(call, inside, types), min(made.size, 65535), more)
        if buffer is not made:
            made[...] = buffer
        return made

    def _body(self, call: _Call, inside: list[str], types: dict[str, Any]) -> str:
        given = self._reduce_type
        known = _dtype(given) if given else None
        cpp = _cpp(known) if known is not None else given or _cpp(_type_of(self._outs[0], types))
        start = f"_v = _Type({self._identity}); bool _has = true;" if self._identity else "_v; bool _has = false;"
        return "\n".join([
            f"typedef {cpp} _Type;", *call.before,
            f"__shared__ alignas(16) char _space[{_BLOCK} * sizeof(_Type)];",
            "_Type* _s = reinterpret_cast<_Type*>(_space);", f"auto _join = [&](const _Type& a, const _Type& b) -> _Type"
            f" {{ return {self._reduce}; }};",
            "for (long long _o = blockIdx.x; _o < _outer; _o += gridDim.x) {", f"_Type {start}",
            "for (long long _j = threadIdx.x; _j < _inner; _j += blockDim.x) {", "const long long i = _o * _inner + _j;",
            *inside, f"const _Type _a = {self._map};", "_v = _has ? _join(_v, _a) : _a; _has = true;", "}",
            "_s[threadIdx.x] = _v; __syncthreads();",
            f"const int _count = {_BLOCK if self._identity else f'int(_inner < {_BLOCK} ? _inner : {_BLOCK})'};",
            f"for (int _part = {_BLOCK // 2}; _part > 0; _part /= 2) {{",
            "if (threadIdx.x < _part && threadIdx.x + _part < _count)",
            "_s[threadIdx.x] = _join(_s[threadIdx.x], _s[threadIdx.x + _part]);", "__syncthreads(); }",
            "if (threadIdx.x == 0) {", "const _Type a = _s[0];", *call.inside, f"{self._post};", "}", "__syncthreads();",
            "}", ""])
