# SPDX-License-Identifier: Apache-2.0
"""Triton kernels whose PTX for sm_80 is beside this file: vector addition, softmax, matrix product.

`python3 triton_kernels.py` writes the PTX again, in the current folder. Needs Triton from PyPI and no GPU.
"""

import pathlib
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, values / tl.sum(values, axis=0), mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for first in range(0, k, K):
        left = tl.load(a + rows[:, None] * k + (first + inner)[None, :])
        right = tl.load(b + (first + inner)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


LICENCE = "// SPDX-License-Identifier: Apache-2.0"
KERNELS = [
    (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}),
    (softmax, {"out": "*fp32", "x": "*fp32", "columns": "i32"}, {"BLOCK": 256}),
    (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
     {"M": 32, "N": 32, "K": 32}),
]

if __name__ == "__main__":
    for kernel, types, constants in KERNELS:
        types = {**types, **{name: "constexpr" for name in constants}}
        made = triton.compile(ASTSource(kernel, types, constants), target=GPUTarget("cuda", 80, 32))
        # Paths without the folders of this machine.
        text = made.asm["ptx"].replace(f"{pathlib.Path(__file__).resolve().parent}/", "")
        text = re.sub(r'"/[^"]*/(site-packages/[^"]*)"', r'"\1"', text)
        if kernel is not softmax:  # One file with sections for a debugger is enough.
            text = text[: text.index("\t.section")].rstrip() + "\n"
        pathlib.Path(f"triton_{kernel.__name__}.ptx").write_text(f"{LICENCE}\n// Triton {triton.__version__}\n{text}", "utf-8")
        print(kernel.__name__, "block:", 32 * made.metadata.num_warps, "shared:", made.metadata.shared)
