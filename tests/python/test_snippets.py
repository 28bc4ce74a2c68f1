# SPDX-License-Identifier: Apache-2.0
"""Kernels of many kinds in the style of CuPy's examples, with `cupy` replaced by this package and NumPy.

Arguments: the program, then the root of the project. Expected values are NumPy's, and the bytes that CuPy's
RawKernel left on real cards (tests/evidence/golden/h100_cupy). More than 400 lines, because each snippet is a test of
its own and they share only the imports.
"""

import math
import unittest

from package import ROOT, main
from recorder import APPROXIMATE, Recorder, floats

import numpy as np

from warpgrade import RawKernel, RawModule

recorder = Recorder(RawKernel)
random = np.random.default_rng()


class Snippets(unittest.TestCase):
    is_compared = True

    @classmethod
    def setUpClass(cls):
        cls.golden = [(ROOT / "tests/evidence/golden" / folder / "outputs.txt").read_text().splitlines()[1:]
                      for folder in ("h100_cupy", "h200_cupy")] if cls.is_compared else []

    def setUp(self):
        global random
        random = np.random.default_rng(1)
        recorder.begin(self._testMethodName)

    def tearDown(self):
        name = self._testMethodName
        recorded = sorted(recorder.of(name))
        for golden in self.golden:
            expected = [one for one in golden if one.split()[0] == name]
            if name not in APPROXIMATE:
                self.assertEqual(expected, recorded, "other bytes than CuPy's")
                continue
            for of_cupy, own in zip(expected, recorded):
                np.testing.assert_allclose(floats(of_cupy), floats(own), rtol=2e-6, atol=2e-5)

    def test_add(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void my_add(const float* x1, const float* x2, float* y) {
            int tid = blockDim.x * blockIdx.x + threadIdx.x;
            y[tid] = x1[tid] + x2[tid];
        }""", "my_add")
        x1 = np.arange(25, dtype=np.float32).reshape(5, 5)
        x2 = np.arange(25, dtype=np.float32).reshape(5, 5)
        y = np.zeros((5, 5), dtype=np.float32)
        kernel((5,), (5,), (x1, x2, y))  # grid, block and arguments
        np.testing.assert_array_equal(x1 + x2, y)

    def test_saxpy_with_a_grid_stride_and_plain_numbers(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
                y[i] = a * x[i] + y[i];
        }""", "saxpy")
        n = 1000
        x, y = random.integers(0, 9, (2, n)).astype(np.float32)
        expected = np.float32(2) * x + y
        kernel((3,), (128,), (n, np.float32(2.0), x, y))
        np.testing.assert_array_equal(expected, y)

    def test_instances_of_templates(self):
        code = r"""
        template <typename T> __global__ void fx3(T* arr, int N) {
            unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
            if (tid < N) arr[tid] = arr[tid] * 3;
        }"""
        names = ["fx3<float>", "fx3<double>", "fx3<long long>"]
        module = RawModule(code=code, options=("-std=c++11",), name_expressions=names)
        for name, dtype in zip(names, (np.float32, np.float64, np.int64)):
            a = np.ones((5,), dtype=dtype)
            module.get_function(name)((1,), (5,), (a, a.size))
            np.testing.assert_array_equal(np.full(5, 3, dtype), a)

    def test_complex_numbers(self):
        kernel = RawKernel(r"""
        #include <cuComplex.h>
        extern "C" __global__ void multiply(const cuFloatComplex* a, const cuFloatComplex* b, cuFloatComplex* y) {
            int i = threadIdx.x;
            y[i] = cuCmulf(a[i], b[i]);
        }""", "multiply", translate_cucomplex=True)
        a, b = (np.arange(16) + 1j * np.arange(16)[::-1]).astype(np.complex64), np.full(16, 2 - 1j, np.complex64)
        y = np.zeros_like(a)
        kernel((1,), (16,), (a, b, y))
        np.testing.assert_array_equal(a * b, y)

    def test_a_complex_scalar_by_value(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void scale(double2* x, double2 s) {
            double2 v = x[threadIdx.x];
            x[threadIdx.x] = make_double2(v.x * s.x - v.y * s.y, v.x * s.y + v.y * s.x);
        }""", "scale")
        x = np.arange(8) * (1 + 2j)
        expected = x * (0 + 1j)
        kernel((1,), (8,), (x, 1j))
        np.testing.assert_array_equal(expected, x)

    def test_sum_in_shared_memory(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void block_sum(const int* x, int* out, int n) {
            extern __shared__ int cache[];
            int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
            cache[t] = i < n ? x[i] : 0;
            __syncthreads();
            for (int s = blockDim.x / 2; s > 0; s >>= 1) {
                if (t < s) cache[t] += cache[t + s];
                __syncthreads();
            }
            if (t == 0) out[blockIdx.x] = cache[0];
        }""", "block_sum")
        x = random.integers(-100, 100, 1000).astype(np.int32)
        out = np.zeros(4, np.int32)
        kernel((4,), (256,), (x, out, np.int32(x.size)), shared_mem=256 * 4)
        np.testing.assert_array_equal(np.add.reduceat(x, range(0, 1000, 256)), out)

    def test_sum_by_shuffles_and_an_atomic(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void total(const long long* x, unsigned long long* out, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            long long v = i < n ? x[i] : 0;
            for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
            if (threadIdx.x % 32 == 0) atomicAdd(out, (unsigned long long)v);
        }""", "total")
        x = random.integers(0, 1 << 40, 500)
        out = np.zeros((), np.uint64)
        kernel((2,), (256,), (x, out, np.int32(500)))
        self.assertEqual(x.sum(), out)

    def test_matrix_product_in_tiles(self):
        kernel = RawKernel(r"""
        #define T 16
        extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
            __shared__ float sa[T][T], sb[T][T];
            int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
            float sum = 0;
            for (int k = 0; k < n; k += T) {
                sa[y][x] = a[row * n + k + x];
                sb[y][x] = b[(k + y) * n + col];
                __syncthreads();
                for (int i = 0; i < T; ++i) sum += sa[y][i] * sb[i][x];
                __syncthreads();
            }
            c[row * n + col] = sum;
        }""", "matmul")
        n = 64
        a, b = random.integers(-4, 5, (2, n, n)).astype(np.float32)
        c = np.empty((n, n), np.float32)
        kernel((n // 16, n // 16), (16, 16), (a, b, c, n))
        np.testing.assert_array_equal(a @ b, c)

    def test_histogram(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void hist(const unsigned char* x, unsigned int* bins, int n) {
            __shared__ unsigned int local[256];
            local[threadIdx.x] = 0;
            __syncthreads();
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
                atomicAdd(&local[x[i]], 1u);
            __syncthreads();
            atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
        }""", "hist")
        x = random.integers(0, 256, 5000).astype(np.uint8)
        bins = np.zeros(256, np.uint32)
        kernel((4,), (256,), (x, bins, x.size))
        np.testing.assert_array_equal(np.bincount(x, minlength=256), bins)

    def test_scan_in_a_block(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void scan(const int* in, int* out) {
            __shared__ int s[128];
            int t = threadIdx.x;
            s[t] = in[t];
            for (int d = 1; d < 128; d *= 2) {
                __syncthreads();
                int v = t >= d ? s[t - d] : 0;
                __syncthreads();
                s[t] += v;
            }
            out[t] = s[t];
        }""", "scan")
        x, out = random.integers(-9, 9, 128).astype(np.int32), np.zeros(128, np.int32)
        kernel((1,), (128,), (x, out))
        np.testing.assert_array_equal(np.cumsum(x), out)

    def test_grey_picture_of_bytes(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void grey(const uchar3* rgb, unsigned char* out, int width, int height) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x >= width || y >= height) return;
            uchar3 p = rgb[y * width + x];
            out[y * width + x] = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
        }""", "grey")
        rgb = random.integers(0, 256, (37, 53, 3)).astype(np.uint8)
        out = np.zeros((37, 53), np.uint8)
        kernel((4, 3), (16, 16), (rgb, out, 53, 37))
        np.testing.assert_array_equal((rgb.astype(int) @ [77, 150, 29]) >> 8, out)

    def test_mask_of_bools(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void select(const double* x, const bool* mask, double* y, bool negate) {
            int i = threadIdx.x;
            y[i] = mask[i] != negate ? x[i] : -1.0;
        }""", "select")
        x, mask, y = random.random(50), random.random(50) < 0.5, np.empty(50)
        kernel((1,), (50,), (x, mask, y, np.bool_(True)))
        np.testing.assert_array_equal(np.where(mask, -1.0, x), y)

    def test_half_precision(self):
        kernel = RawKernel(r"""
        #include <cuda_fp16.h>
        extern "C" __global__ void axpy(__half a, const __half* x, __half* y) {
            y[threadIdx.x] = __hfma(a, x[threadIdx.x], y[threadIdx.x]);
        }""", "axpy")
        x, y = (np.arange(64) / 8).astype(np.float16), np.ones(64, np.float16)
        expected = np.float16(0.5) * x + y
        kernel((1,), (64,), (np.float16(0.5), x, y))
        np.testing.assert_array_equal(expected, y)

    def test_structures(self):
        kernel = RawKernel(r"""
        struct Particle { float3 position; float3 velocity; int alive; };
        struct World { float dt; float3 gravity; };
        extern "C" __global__ void step(Particle* all, World world, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n || !all[i].alive) return;
            Particle& p = all[i];
            p.velocity.y += world.dt * world.gravity.y;
            p.position.x += world.dt * p.velocity.x;
            p.position.y += world.dt * p.velocity.y;
        }""", "step")
        particle = np.dtype([("position", "f4", 3), ("velocity", "f4", 3), ("alive", "i4")])
        world = np.array((0.5, (0, -2, 0)), np.dtype([("dt", "f4"), ("gravity", "f4", 3)]))
        all_ = np.zeros(40, particle)
        all_["velocity"] = random.integers(0, 9, (40, 3))
        all_["alive"] = np.arange(40) % 2
        expected = all_.copy()
        alive = expected["alive"] == 1
        expected["velocity"][alive, 1] -= 1
        expected["position"][alive, :2] += expected["velocity"][alive, :2] / 2
        kernel((2,), (32,), (all_, world, len(all_)))
        np.testing.assert_array_equal(expected, all_)

    def test_mandelbrot(self):
        kernel = RawKernel(r"""
        __device__ int escape(double re, double im, int most) {
            double x = 0, y = 0;
            int i = 0;
            for (; i < most && x * x + y * y <= 4; ++i) {
                double next = x * x - y * y + re;
                y = 2 * x * y + im;
                x = next;
            }
            return i;
        }
        extern "C" __global__ void mandelbrot(int* out, int w, int h, double scale) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x < w && y < h) out[y * w + x] = escape((x - w / 2) * scale, (y - h / 2) * scale, 50);
        }""", "mandelbrot")
        w, h, scale = 40, 30, 0.125  # Powers of two: no rounding before the numbers have escaped.
        out = np.zeros((h, w), np.int32)
        kernel((5, 4), (8, 8), (out, w, h, scale))
        c = (np.arange(w) - w // 2) * scale + 1j * ((np.arange(h) - h // 2) * scale)[:, None]
        z, expected = np.zeros_like(c), np.zeros((h, w), int)
        for _ in range(50):
            inside = z.real**2 + z.imag**2 <= 4
            expected += inside
            z = np.where(inside, z * z + c, z)
        self.assertGreater(np.mean(expected == out), 0.99)  # Fused rounding may move single points.
        self.assertEqual(50, out[h // 2, w // 2])

    def test_cooperative_groups(self):
        kernel = RawKernel(r"""
        #include <cooperative_groups.h>
        namespace cg = cooperative_groups;
        extern "C" __global__ void twice(int* x, int* y) {
            cg::grid_group g = cg::this_grid();
            int i = g.thread_rank(), n = g.size();
            y[i] = 2 * x[i];
            g.sync();
            x[i] = y[n - 1 - i];
        }""", "twice", enable_cooperative_groups=True)
        x, y = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
        kernel((4,), (32,), (x, y))
        np.testing.assert_array_equal(2 * np.arange(128)[::-1], x)

    def test_a_table_in_constant_memory(self):
        kernel = RawKernel(r"""
        __constant__ float weight[5] = {1, 4, 6, 4, 1};
        extern "C" __global__ void blur(const float* x, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < 2 || i >= n - 2) return;
            float sum = 0;
            for (int k = 0; k < 5; ++k) sum += weight[k] * x[i + k - 2];
            y[i] = sum / 16;
        }""", "blur")
        x, y = random.integers(0, 9, 200).astype(np.float32), np.zeros(200, np.float32)
        kernel((2,), (128,), (x, y, 200))
        np.testing.assert_array_equal(np.convolve(x, [1, 4, 6, 4, 1], "valid") / 16, y[2:-2])

    def test_variables_set_from_python(self):
        module = RawModule(code=r"""
        __constant__ float weight[3];
        __device__ int calls = 40;
        extern "C" __global__ void weigh(const float* x, float* y) {
            int i = threadIdx.x;
            y[i] = weight[i % 3] * x[i];
            if (i == 0) atomicAdd(&calls, 1);
        }""")
        np.ndarray((3,), np.float32, module.get_global("weight"))[...] = (1, 0.5, 0.25)
        calls = np.ndarray((), np.int32, module.get_global("calls"))
        kernel = module.get_function("weigh")
        x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
        kernel((1,), (32,), (x, y))
        kernel((1,), (32,), (y, y))
        np.testing.assert_array_equal(x * np.resize([1, 0.25, 0.0625], 32), y)
        self.assertEqual(42, calls)

    def test_steps_of_heat_in_two_buffers(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void heat(const double* u, double* v, int nx, int ny) {
            int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
            if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
            int p = j * nx + i;
            v[p] = 0.25 * (u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx]);
        }""", "heat")
        u = np.zeros((24, 32))
        u[0] = 64
        v, expected = u.copy(), u.copy()
        for _ in range(4):
            kernel((2, 2), (16, 16), (u, v, 32, 24))
            u, v = v, u
            e = expected.copy()
            e[1:-1, 1:-1] = 0.25 * (expected[1:-1, :-2] + expected[1:-1, 2:] + expected[:-2, 1:-1] + expected[2:, 1:-1])
            expected = e
        np.testing.assert_array_equal(expected, u)

    def test_compaction_by_ballot(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void compact(const int* x, int* out, int* count) {
            unsigned lane = threadIdx.x;
            unsigned keep = __ballot_sync(~0u, x[lane] > 0);
            if (x[lane] > 0) out[__popc(keep & ((1u << lane) - 1))] = x[lane];
            if (lane == 0) *count = __popc(keep);
        }""", "compact")
        x, out, count = random.integers(-5, 6, 32).astype(np.int32), np.zeros(32, np.int32), np.zeros(1, np.int32)
        kernel((1,), (32,), (x, out, count))
        np.testing.assert_array_equal(x[x > 0], out[:count[0]])

    def test_random_numbers_in_64_bits(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void xorshift(unsigned long long* state, int rounds) {
            unsigned long long s = state[threadIdx.x];
            for (int i = 0; i < rounds; ++i) { s ^= s << 13; s ^= s >> 7; s ^= s << 17; }
            state[threadIdx.x] = s;
        }""", "xorshift")
        state = np.arange(1, 65, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        expected = state.copy()
        for _ in range(10):
            for shift, left in ((13, True), (7, False), (17, True)):
                expected ^= expected << np.uint64(shift) if left else expected >> np.uint64(shift)
        kernel((1,), (64,), (state, 10))
        np.testing.assert_array_equal(expected, state)

    def test_sorting_network(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void bitonic(short* x) {
            __shared__ short s[256];
            int t = threadIdx.x;
            s[t] = x[t];
            for (int k = 2; k <= 256; k *= 2)
                for (int j = k / 2; j > 0; j /= 2) {
                    __syncthreads();
                    int o = t ^ j;
                    short a = s[t], b = s[o];
                    bool up = (t & k) == 0, lower = t < o;
                    __syncthreads();
                    s[t] = (up == lower) == (a < b) ? a : b;
                }
            __syncthreads();
            x[t] = s[t];
        }""", "bitonic")
        x = random.integers(-30000, 30000, 256).astype(np.int16)
        expected = np.sort(x)
        kernel((1,), (256,), (x,))
        np.testing.assert_array_equal(expected, x)

    def test_sparse_rows(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void spmv(const int* begin, const int* column, const double* value,
                                        const double* __restrict__ x, double* y, int rows) {
            int row = blockIdx.x * blockDim.x + threadIdx.x;
            if (row >= rows) return;
            double sum = 0;
            for (int i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * __ldg(&x[column[i]]);
            y[row] = sum;
        }""", "spmv")
        dense = random.integers(-3, 4, (50, 30)) * (random.random((50, 30)) < 0.2)
        row, column = np.nonzero(dense)
        begin = np.searchsorted(row, np.arange(51)).astype(np.int32)
        x, y = random.integers(0, 9, 30).astype(float), np.zeros(50)
        kernel((1,), (64,), (begin, column.astype(np.int32), dense[row, column].astype(float), x, y, 50))
        np.testing.assert_array_equal(dense @ x, y)

    def test_columns_of_fortran_order(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void column_sums(const float* a, float* out, int rows) {
            float sum = 0;
            for (int i = 0; i < rows; ++i) sum += a[threadIdx.x * rows + i];
            out[threadIdx.x] = sum;
        }""", "column_sums")
        a = np.asfortranarray(random.integers(0, 9, (20, 12)).astype(np.float32))
        out = np.zeros(12, np.float32)
        kernel((1,), (12,), (a, out, a.shape[0]))
        np.testing.assert_array_equal(a.sum(0), out)

    def test_bodies_that_attract_each_other(self):
        kernel = RawKernel(r"""
        extern "C" __global__ void forces(const float4* body, float3* force, int n) {
            extern __shared__ float4 tile[];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            float4 me = body[i];
            float3 sum = make_float3(0, 0, 0);
            for (int first = 0; first < n; first += blockDim.x) {
                tile[threadIdx.x] = body[first + threadIdx.x];
                __syncthreads();
                for (int k = 0; k < blockDim.x; ++k) {
                    float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
                    float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[k].w * r * r * r;
                    sum.x += s * dx, sum.y += s * dy, sum.z += s * dz;
                }
                __syncthreads();
            }
            force[i] = sum;
        }""", "forces")
        body, force = random.random((128, 4)).astype(np.float32), np.zeros((128, 3), np.float32)
        kernel((2,), (64,), (body, force, 128), shared_mem=64 * 16)
        d = body[None, :, :3] - body[:, None, :3]
        r2 = (d**2).sum(2) + 0.01
        np.testing.assert_allclose((d * (body[:, 3] / r2**1.5)[..., None]).sum(1), force, rtol=1e-3, atol=1e-3)

    def test_prices_of_options(self):
        kernel = RawKernel(r"""
        __device__ float cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
        extern "C" __global__ void call_price(const float* s, const float* k, float* out, float r, float v, float t, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            float d1 = (logf(s[i] / k[i]) + (r + 0.5f * v * v) * t) / (v * sqrtf(t)), d2 = d1 - v * sqrtf(t);
            out[i] = s[i] * cdf(d1) - k[i] * expf(-r * t) * cdf(d2);
        }""", "call_price")
        s, k = (random.random((2, 300)) * 50 + 50).astype(np.float32)
        out = np.zeros(300, np.float32)
        r, v, t = np.float32(0.05), np.float32(0.2), np.float32(2)
        kernel((3,), (128,), (s, k, out, r, v, t, 300))
        d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
        cdf = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)
        expected = s * cdf(d1) - k * np.exp(-r * t) * cdf(d1 - v * np.sqrt(t))
        np.testing.assert_allclose(expected, out, rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    main()
