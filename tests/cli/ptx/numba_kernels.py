# SPDX-License-Identifier: Apache-2.0
"""Numba kernels whose PTX for sm_80 is beside this file: a product, and a transpose with bank conflicts.

`python3 numba_kernels.py` writes the PTX again, in the current folder. Needs numba-cuda[cu13] from PyPI and no GPU.
"""

import pathlib

import numba_cuda
from numba import cuda, float32, int32, void


def scale(out, x, factor, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = factor * x[i]


def transpose(out, x):
    tile = cuda.shared.array((32, 32), float32)
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    tile[row, column] = x[32 * row + column]
    cuda.syncthreads()
    out[32 * row + column] = tile[column, row]  # the lanes of a warp read one bank


ARRAY = float32[::1]
KERNELS = [(scale, void(ARRAY, ARRAY, float32, int32)), (transpose, void(ARRAY, ARRAY))]

if __name__ == "__main__":
    for kernel, types in KERNELS:
        text, _ = cuda.compile(kernel, types, device=False, abi="numba", cc=(8, 0), lineinfo=True)
        # Paths without the folders of this machine.
        text = text.replace(f"{pathlib.Path(__file__).resolve().parent}/", "")
        head = f"// SPDX-License-Identifier: Apache-2.0\n// numba-cuda {numba_cuda.__version__}\n"
        pathlib.Path(f"numba_{kernel.__name__}.ptx").write_text(head + text, "utf-8")
