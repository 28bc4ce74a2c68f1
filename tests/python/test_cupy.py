# SPDX-License-Identifier: Apache-2.0
"""`warpgrade.cupy` in place of CuPy: arrays, generated kernels, attributes, streams and events.

Arguments: the program, then the root of the project. Expected values are NumPy's, or worked out by hand.
"""

import unittest

from package import main

import numpy as np

import warpgrade
import warpgrade.cupy as cp


class Arrays(unittest.TestCase):
    def test_a_copy_goes_to_the_device_and_back(self):
        host = np.arange(6, dtype=np.float32).reshape(2, 3)
        there = cp.asarray(host)
        there += 1
        self.assertEqual(0, host[0, 0])  # the host's array is another one
        self.assertIs(there, cp.asarray(there))
        for back in (there.get(), cp.asnumpy(there)):
            self.assertIs(np.ndarray, type(back))
            np.testing.assert_array_equal(host + 1, back)
        there.set(host)
        np.testing.assert_array_equal(host, there.get())
        with self.assertRaisesRegex(ValueError, "must be float32"):
            there.set(host.astype(np.float64))

    def test_functions_of_numpy_return_arrays_with_get(self):
        for made in (cp.zeros(3), cp.arange(4), cp.linspace(0, 1, 3), cp.random.rand(5), cp.exp(cp.ones(2)),
                     cp.ones((2, 2)) @ cp.eye(2), cp.random.default_rng(1).random(3), cp.linalg.inv(cp.eye(2))):
            self.assertIs(np.ndarray, type(made.get()))
        self.assertEqual(3, cp.arange(3).sum().get())
        element = cp.arange(3)[2]
        self.assertEqual((2, ()), (int(element.get()), element.shape))
        self.assertEqual("array([0.1], dtype=float32)", repr(cp.array([0.1], "f4")))
        self.assertIs(cp, cp.get_array_module(cp.ones(1)))
        self.assertIs(np, cp.get_array_module(np.ones(1)))
        with self.assertRaisesRegex(AttributeError, "has no 'nosuch', and neither has NumPy"):
            cp.nosuch

    def test_kernels_streams_and_events(self):
        kernel = cp.RawKernel('extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', "twice")
        x = cp.arange(4, dtype=cp.float32)
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        with cp.cuda.Device(0), cp.cuda.Stream(non_blocking=True) as stream:
            begin.record()
            run = kernel((1,), (4,), (x,), stream=stream)
            end.record(stream)
            stream.synchronize()
        self.assertEqual([0, 2, 4, 6], x.get().tolist())
        cp.get_default_memory_pool().free_all_blocks()
        self.assertEqual("90", cp.cuda.Device().compute_capability)
        self.assertAlmostEqual(1e3 * run.seconds, cp.cuda.get_elapsed_time(begin, end))
        module = cp.RawModule(code="__constant__ float w[2]; __global__ void k(float* x) { x[threadIdx.x] = w[threadIdx.x]; }")
        cp.ndarray((2,), cp.float32, module.get_global("w"))[...] = cp.asarray([3, 4])
        module.get_function("k")((1,), (2,), (x,))
        self.assertEqual([3, 4, 4, 6], x.get().tolist())
        self.assertIsInstance(module.get_function("k"), cp.RawKernel)

    def test_the_device_has_the_numbers_of_an_h200(self):
        # NVIDIA's data sheet and CUDA C++ Programming Guide, compute capability 9.0.
        found = cp.cuda.runtime.getDeviceProperties(0)
        expected = {"name": b"NVIDIA H200", "major": 9, "minor": 0, "multiProcessorCount": 132, "warpSize": 32,
                    "maxThreadsPerBlock": 1024, "maxThreadsPerMultiProcessor": 2048, "regsPerBlock": 65536,
                    "sharedMemPerBlock": 49152, "sharedMemPerBlockOptin": 232448, "totalConstMem": 65536}
        self.assertEqual(expected, {name: found[name] for name in expected})
        device = cp.cuda.Device()
        self.assertEqual((0, 132), (int(device), device.attributes["MultiProcessorCount"]))
        self.assertIn("H200", repr(device))
        free, most = cp.cuda.runtime.memGetInfo()
        self.assertTrue(0 < free <= most == found["totalGlobalMem"])
        self.assertEqual((1, 0, "90"), (cp.cuda.runtime.getDeviceCount(), cp.cuda.runtime.getDevice(),
                                        cp.cuda.device.get_compute_capability()))
        for call in (cp.cuda.Device, cp.cuda.runtime.setDevice, cp.cuda.runtime.getDeviceProperties):
            with self.assertRaisesRegex(ValueError, "there is only device 0"):
                call(1)

    def test_memory_pools_do_nothing(self):
        pool = cp.cuda.MemoryPool(cp.cuda.set_allocator)
        with cp.cuda.using_allocator(pool.malloc):
            cp.cuda.set_allocator(pool.malloc)
            cp.cuda.set_pinned_memory_allocator(cp.cuda.PinnedMemoryPool().malloc)
            pool.set_limit(size=2**30)
            self.assertEqual([1, 1], cp.ones(2).tolist())
        pool.free_all_blocks()
        self.assertEqual((0, 0, 0, 0), (pool.used_bytes(), pool.free_bytes(), pool.total_bytes(), pool.get_limit()))

    def test_names_that_need_a_gpu_say_so(self):
        with self.assertRaisesRegex(AttributeError, "runtime has no 'malloc', because no GPU runs the kernels; it has .*getDevice"):
            cp.cuda.runtime.malloc(8)
        with self.assertRaisesRegex(AttributeError, "cuda has no 'Graph'"):
            cp.cuda.Graph()

    def test_compile_and_attributes(self):
        source = """extern "C" __global__ void __launch_bounds__(96) k(float* x) {
            __shared__ float s[64]; float own[40];
            for (int i = 0; i < 40; ++i) own[int(x[i]) % 40] = i;
            s[threadIdx.x % 64] = own[int(x[0])]; __syncthreads(); x[0] = s[1]; }"""
        kernel = cp.RawKernel(source, "k", ("--std=c++17",))
        kernel.compile()
        self.assertEqual((256, 96), (kernel.shared_size_bytes, kernel.max_threads_per_block))
        self.assertGreater(kernel.num_regs, 8)
        self.assertEqual(160, kernel.local_size_bytes)
        self.assertEqual(232448 - 256, kernel.max_dynamic_shared_size_bytes)
        self.assertEqual({"max_threads_per_block", "shared_size_bytes", "const_size_bytes", "local_size_bytes", "num_regs",
                          "ptx_version", "binary_version", "cache_mode_ca", "max_dynamic_shared_size_bytes",
                          "preferred_shared_memory_carveout"}, set(kernel.attributes))
        self.assertEqual((90, ("--std=c++17",), None), (kernel.ptx_version, kernel.options, kernel.file_path))
        kernel.max_dynamic_shared_size_bytes = 1024
        with self.assertRaisesRegex(ValueError, "was set to 1024"):
            kernel((1,), (1,), (cp.zeros(40, "f4"),), shared_mem=2048)
        with self.assertRaises(ValueError):
            kernel.max_dynamic_shared_size_bytes = 1 << 20
        with self.assertRaises(warpgrade.KernelError):
            cp.RawKernel("extern \"C\" __global__ void k(int* x) { y }", "k").compile()

    def test_a_wrong_name_fails_in_get_function(self):
        module = cp.RawModule(code="template <int N> __global__ void k(int* x) { *x = N; }", name_expressions=["k<2>"])
        module.compile()
        with self.assertRaisesRegex(warpgrade.KernelError, "no kernel is named 'other'"):
            module.get_function("other")


class Elementwise(unittest.TestCase):
    def test_types_follow_from_the_arguments(self):
        kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
        for dtype in (np.float32, np.float64, np.int32, np.complex64):
            x, y = cp.arange(6).reshape(2, 3).astype(dtype), cp.arange(3).astype(dtype)
            made = kernel(x, y)
            self.assertEqual(dtype, made.dtype)
            np.testing.assert_array_equal((x - y) * (x - y), made)
        np.testing.assert_array_equal([4, 1, 0], kernel(cp.arange(3), 2))
        self.assertEqual("squared_difference", kernel.last_run.kernel)

    def test_raw_parameters_have_indices(self):
        reverse = cp.ElementwiseKernel("raw T x, raw T y", "raw T z", "z[i] = x[i] + y[_ind.size() - i - 1] + x.shape()[0]",
                                       "add_reverse")
        x, y, z = cp.arange(5.0), cp.arange(5.0) * 10, cp.zeros(5)
        reverse(x, y, z, size=5)
        np.testing.assert_array_equal(x + y[::-1] + 5, z)
        with self.assertRaisesRegex(ValueError, "pass size="):
            reverse(x, y, z)
        matrix = cp.ElementwiseKernel("raw float32 m", "int32 sum", "const long long* at = _ind.get(); "
                                      "long long t[2] = {at[1], at[0]}; sum = (int)m[t]", "transposed")
        m = cp.arange(9, dtype="f4").reshape(3, 3)
        np.testing.assert_array_equal(m.T, matrix(m, cp.zeros((3, 3), "i4")))

    def test_outputs_and_options(self):
        kernel = cp.ElementwiseKernel("float32 x", "float32 low, int64 where", "low = cut(x); where = i", "parts",
                                      preamble="__device__ float cut(float x) { return x < LIMIT ? x : LIMIT; }",
                                      options=("-DLIMIT=2",))
        low, where = kernel(cp.arange(4, dtype="f4")[::-1])
        self.assertEqual(([2, 2, 1, 0], [0, 1, 2, 3]), (low.tolist(), where.tolist()))
        columns = cp.zeros((2, 4), "f4")
        kernel(cp.arange(4, dtype="f4"), columns[0], cp.zeros(4, "i8"))
        self.assertEqual([0, 1, 2, 2], columns[0].tolist())

    def test_wrong_calls(self):
        kernel = cp.ElementwiseKernel("float32 x, T y", "T z", "z = y", "wrong")
        for error, needed, call in (
            (TypeError, "`x` is float32, and its argument is float64", lambda: kernel(cp.zeros(2), cp.zeros(2))),
            (TypeError, "2 inputs and 1 outputs, and 1", lambda: kernel(cp.zeros(2, "f4"))),
            (ValueError, "is not a parameter", lambda: cp.ElementwiseKernel("x", "y", "")),
            (warpgrade.KernelError, "nix", lambda: cp.ElementwiseKernel("T x", "T y", "y = nix", "k")(cp.zeros(2))),
        ):
            with self.subTest(needed), self.assertRaisesRegex(error, needed):
                call()


class Reductions(unittest.TestCase):
    def test_axes(self):
        norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
        x = cp.arange(24, dtype=np.float32).reshape(2, 3, 4)
        for axis in (None, 0, 1, -1, (0, 2)):
            expected = np.sqrt((x.get().astype("f8") ** 2).sum(axis=axis))
            np.testing.assert_allclose(expected, norm(x, axis=axis), rtol=1e-6)
        self.assertEqual((1, 3, 1), norm(x, axis=(0, 2), keepdims=True).shape)
        out = cp.zeros(4, "f4")
        self.assertIs(out, norm(x[0], out, axis=0))
        np.testing.assert_allclose(np.sqrt((x[0].get() ** 2).sum(axis=0)), out, rtol=1e-6)

    def test_more_elements_than_threads_and_no_identity(self):
        largest = cp.ReductionKernel("T x, T scale", "T y", "x * scale", "max(a, b)", "y = a", None, "largest")
        for count in (1, 100, 255, 256, 257, 3000):
            x = -cp.arange(1, count + 1, dtype=np.int32)
            self.assertEqual(-2, largest(x, np.int32(2)))
        with self.assertRaisesRegex(ValueError, "no identity"):
            largest(cp.zeros(0, "i4"), np.int32(1))
        total = cp.ReductionKernel("T x", "float64 y", "x", "a + b", "y = a", "0", "total", reduce_type="double")
        self.assertEqual(0, total(cp.zeros(0, "f4")))
        self.assertEqual(4498500, total(cp.arange(3000, dtype="f4")))


class Complex(unittest.TestCase):
    def test_cupys_header(self):
        source = """#include <cupy/complex.cuh>
        extern "C" __global__ void k(complex<float>* y, const complex<float>* x, complex<double> z) {
          int i = threadIdx.x;
          thrust::complex<float> one(1, 0);
          y[i] = x[i] * conj(x[i]) / 2 + one * 3.0f - complex<float>(0.5 * z) + 1 * x[i];
        }"""
        x = np.array([1 + 2j, -3j, 4], np.complex64)
        y = np.zeros_like(x)
        warpgrade.RawKernel(source, "k")((1,), (3,), (y, x, 2 - 4j))
        np.testing.assert_allclose(x * x.conj() / 2 + 3 - (1 - 2j) + x, y, rtol=1e-6)


if __name__ == "__main__":
    main()
