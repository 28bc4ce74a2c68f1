# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ kernels on NumPy arrays, with or without a GPU, and the grader of the course.

Calls look like CuPy's, so that a notebook moves between a GPU and none by changing an import:

    import numpy as np, warpgrade
    kernel = warpgrade.RawKernel(source, "transpose")
    run = kernel((32, 32), (32, 8), (out, a, np.int32(n), np.int32(n)))   # out is changed in place
    run.metrics, run.seconds, run.bound_by, run.diagnostics

`import warpgrade.cupy as cp` for `import cupy as cp` needs no other change in many programs.

The package is plain Python over the program `warpgrade`, which it keeps running between calls of kernels.
NumPy is imported by the first call with arrays, and IPython by `%load_ext warpgrade`.
"""

from warpgrade._program import package_version, program, version
from warpgrade.errors import ArgumentWarning, KernelError, KernelWarning, ToolError
from warpgrade.grades import Grade, devices, exercises, grade
from warpgrade.kernels import RawKernel, RawModule, sequence
from warpgrade.runs import Run
from warpgrade.verification import Verification, verify

__all__ = [
    "ArgumentWarning",
    "Grade",
    "KernelError",
    "KernelWarning",
    "RawKernel",
    "RawModule",
    "Run",
    "ToolError",
    "Verification",
    "devices",
    "exercises",
    "grade",
    "program",
    "sequence",
    "verify",
    "version",
]


def __getattr__(name: str) -> str:
    """`__version__`, found when it is first needed."""
    if name == "__version__":
        return package_version()
    raise AttributeError(f"module 'warpgrade' has no attribute {name!r}")


def load_ipython_extension(shell) -> None:
    """Adds the cell magics `%%grade` and `%%profile` to IPython; `%load_ext warpgrade` calls it."""
    from warpgrade.magics import WarpgradeMagics

    shell.register_magics(WarpgradeMagics)
