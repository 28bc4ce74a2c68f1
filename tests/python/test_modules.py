# SPDX-License-Identifier: Apache-2.0
"""Variables of a module from Python, and the options of the compiler.

Arguments: the program, then the root of the project. Expected values are worked out by hand.
"""

import unittest

from package import main

import numpy as np

import warpgrade

VARIABLES = """
namespace tables { __constant__ float weights[3] = {1, 2, 3}; }
__constant__ int offset;
__device__ int total = 5;
__device__ int* address = &total;
extern "C" __global__ void add(float* out) {
  out[threadIdx.x] = tables::weights[threadIdx.x] + offset;
  atomicAdd(&total, 1);
}
"""


class Variables(unittest.TestCase):
    def setUp(self):
        self.module = warpgrade.RawModule(code=VARIABLES)
        self.add = self.module.get_function("add")

    def call(self):
        out = np.zeros(3, np.float32)
        self.add((1,), (3,), (out,))
        return out.tolist()

    def get(self, name, shape, dtype):
        return np.ndarray(shape, dtype, self.module.get_global(name))

    def test_begin_with_their_initialisers(self):
        self.assertEqual([1, 2, 3], self.get("weights", 3, "f4").tolist())
        self.assertEqual(0, self.get("offset", (), "i4"))
        self.assertEqual([1, 2, 3], self.call())

    def test_keep_what_python_assigns(self):
        self.get("weights", 3, "f4")[...] = (0.5, 1.5, 2.5)
        self.get("offset", (), "i4")[...] = 10
        self.assertEqual([10.5, 11.5, 12.5], self.call())
        self.assertEqual([0.5, 1.5, 2.5], self.get("weights", 3, "f4").tolist())

    def test_keep_what_kernels_store_in_them(self):
        self.call()  # starts from the initialiser; its result is lost, because `total` was not requested
        total = self.get("total", (), "i4")
        self.assertEqual(5, total)
        self.call()
        self.call()
        self.assertEqual(11, total)

    def test_a_fault_leaves_them_unchanged(self):
        total = self.get("total", (), "i4")
        with self.assertRaises(warpgrade.KernelError):
            self.add((1,), (4,), (np.zeros(4, np.float32),))  # weights[3]
        self.assertEqual(5, total)

    def test_wrong_uses(self):
        with self.assertRaisesRegex(ValueError, "no __constant__ or __device__ variable 'weight'; it has: .* total, address, weights"):
            self.module.get_global("weight")
        with self.assertRaisesRegex(NotImplementedError, "variable address contains addresses"):
            self.module.get_global("address")
        weights = self.get("weights", 3, "f4")
        with self.assertRaisesRegex(ValueError, "argument 0 is the variable weights"):
            self.add((1,), (3,), (weights,))
        with self.assertRaisesRegex(warpgrade.KernelError, "kernel.cu:1:"):
            warpgrade.RawModule(code="__constant__ in x;\n").get_global("x")


class CompilerOptions(unittest.TestCase):
    def run_with(self, source, *options):
        out = np.zeros(1, np.float32)
        run = warpgrade.RawKernel(source, "k", options)((1,), (1,), (out,))
        return out[0], run

    def test_macros_keep_the_numbers_of_lines(self):
        source = "__global__ void k(float* x) { *x = N; }"
        for options in (("-DN=3",), ("-D", "N=3"), ("--define-macro=N=3",)):
            value, run = self.run_with(source, *options)
            self.assertEqual(3, value)
            self.assertEqual(1, run.lines[0]["line"])

    def test_standards(self):
        source = "__global__ void k(float* x) { *x = __cplusplus; }"
        for standard, expected in (("c++11", 201703), ("c++17", 201703), ("c++20", 202002)):
            self.assertEqual(np.float32(expected), self.run_with(source, f"--std={standard}")[0])

    def test_fast_math_divides_approximately(self):
        # 1 / 3e38 is subnormal: exact division keeps it, and fast math flushes it to zero.
        source = "__global__ void k(float* x) { float y = 3e38f + *x; *x = 1.0f / y; }"
        self.assertGreater(self.run_with(source)[0], 0)
        self.assertEqual(0, self.run_with(source, "--use_fast_math")[0])

    def test_others_are_value_errors(self):
        for option in ("-arch=sm_70", "--gpu-architecture=compute_80", "-std=c++98", "--no-such-option", "-O3"):
            with self.subTest(option):
                with self.assertRaisesRegex(ValueError, f"the compiler option {option.replace('+', '.')} is not supported"):
                    self.run_with("__global__ void k(float* x) {}", option)


if __name__ == "__main__":
    main()
