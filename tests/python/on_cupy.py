# SPDX-License-Identifier: Apache-2.0
"""Runs the kernels of test_snippets.py with CuPy on this machine's GPU and writes the resulting arrays.

    python3 tests/python/on_cupy.py tests/evidence/golden/h100_cupy/outputs.txt

The tests themselves are unchanged: `warpgrade` is CuPy's RawKernel and RawModule here, with NumPy arrays copied to
the card before a call and back after it.
"""

import ctypes
import datetime
import os
import pathlib
import subprocess
import sys
import types
import unittest

import cupy
import numpy as np


def on_card(content):
    """A copy of a NumPy array's bytes in the card's memory."""
    memory = cupy.cuda.alloc(content.nbytes)
    memory.copy_from_host(content.ctypes.data, content.nbytes)
    return memory


class RawKernel:
    """CuPy's kernel, called on NumPy arrays."""

    def __init__(self, code, name, options=(), **others):
        self._kernel, self._symbols = cupy.RawKernel(code, name, options, **others), {}

    @classmethod
    def of_module(cls, kernel, symbols):
        made = cls.__new__(cls)
        made._kernel, made._symbols = kernel, symbols
        return made

    def __call__(self, grid, block, args=(), **others):
        copies, passed = {}, []
        for value in args:
            if not isinstance(value, np.ndarray):
                passed.append(value)
            elif value.ndim == 0 and value.dtype.names:
                passed.append(value[()])  # a structure by value
            else:
                host, memory = copies.setdefault(value.ctypes.data, (value, on_card(value)))
                passed.append(cupy.ndarray((host.nbytes,), np.uint8, memory))
        for host, memory in self._symbols.values():
            memory.copy_from_host(host.ctypes.data, host.nbytes)
        self._kernel(grid, block, tuple(passed), **others)
        for host, memory in [*copies.values(), *self._symbols.values()]:
            memory.copy_to_host(host.ctypes.data, host.nbytes)


class RawModule:
    """CuPy's module, whose variables are NumPy arrays."""

    def __init__(self, **options):
        self._module, self._symbols = cupy.RawModule(**options), {}

    def get_function(self, name):
        return RawKernel.of_module(self._module.get_function(name), self._symbols)

    def get_global(self, name):
        memory, size = self._module.get_global(name), ctypes.c_size_t()
        module = ctypes.c_void_p(self._module.module.ptr)
        ctypes.CDLL("libcuda.so.1").cuModuleGetGlobal_v2(None, ctypes.byref(size), module, name.encode())
        host = np.empty(size.value, np.uint8)
        memory.copy_to_host(host.ctypes.data, host.nbytes)
        self._symbols[name] = host, memory
        return host


def main():
    output = pathlib.Path(sys.argv[1]).absolute()
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    sys.modules["warpgrade"] = types.ModuleType("warpgrade")
    sys.modules["warpgrade"].RawKernel, sys.modules["warpgrade"].RawModule = RawKernel, RawModule
    sys.argv[1:] = [os.devnull, str(here.parent.parent)]  # no program is needed
    import test_snippets
    test_snippets.Snippets.is_compared = False
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromModule(test_snippets))
    card, driver = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                                  check=True, capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    date = datetime.date.today().isoformat()
    nvrtc = ".".join(map(str, cupy.cuda.nvrtc.getVersion()))
    head = f"# {card}, CuPy {cupy.__version__}, NVRTC {nvrtc}, driver {driver}, {date}"
    output.write_text("\n".join([head, *sorted(test_snippets.recorder.lines)]) + "\n")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
