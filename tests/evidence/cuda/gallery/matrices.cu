// SPDX-License-Identifier: Apache-2.0
// Matrix products (tiled with edges, register blocks, half2, double, bytes, complex) and small
// solvers.
//
// launch: tiled_with_edges grid 3,3 block 16,16
// launch: register_blocks grid 2,2 block 8,8
// launch: half2_product grid 2,4 block 8,8
// launch: double_naive grid 4,4 block 8,8
// launch: bytes_dp4a grid 4,4 block 8,8
// launch: complex_product grid 1 block 16,16
// launch: batched_matvec grid 16 block 32
// launch: lu_decomposition grid 2 block 16,16
// launch: cholesky grid 4 block 16
// launch: gauss_jordan grid 4 block 9,8
// launch: triangular_solve grid 1 block 64
// launch: jacobi_solver grid 1 block 64
// launch: transpose_in_place grid 1 block 32,8
// launch: power_of_matrix grid 1 block 8,8
#include <cuComplex.h>
#include <cuda_fp16.h>

#define TILE_WIDTH 16
// A is 37 x 29, B is 29 x 27: neither a multiple of the tile.
template <typename T>
__device__ void matrix_multiply(T* c, const T* a, const T* b, int m, int n, int k) {
  __shared__ T sa[TILE_WIDTH][TILE_WIDTH];
  __shared__ T sb[TILE_WIDTH][TILE_WIDTH];
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int row = by * TILE_WIDTH + ty, col = bx * TILE_WIDTH + tx;
  T value = 0;
  for (int p = 0; p < (k - 1) / TILE_WIDTH + 1; ++p) {
    sa[ty][tx] = row < m && p * TILE_WIDTH + tx < k ? a[row * k + p * TILE_WIDTH + tx] : T(0);
    sb[ty][tx] = col < n && p * TILE_WIDTH + ty < k ? b[(p * TILE_WIDTH + ty) * n + col] : T(0);
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) value += sa[ty][i] * sb[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = value;
}
extern "C" __global__ void tiled_with_edges(unsigned* out, const unsigned* in) {
  // The upper bits of the input as floats of moderate size.
  __shared__ float unused;
  if (threadIdx.x > 1000) unused = 0;
  const float* floats = reinterpret_cast<const float*>(in);
  static_assert(sizeof(float) == 4, "");
  matrix_multiply<unsigned>(out, in, in + 2000, 37, 27, 29);
  (void)floats;
}

// 32 x 32: each thread has 2 x 2 accumulators.
extern "C" __global__ void register_blocks(unsigned* out, const unsigned* in) {
  __shared__ float a[16][9], b[8][17];
  float sum[2][2] = {{0}};
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
  for (int k0 = 0; k0 < 32; k0 += 8) {
    for (int e = t; e < 128; e += 64) {
      a[e / 8][e % 8] = in[(blockIdx.y * 16 + e / 8) * 32 + k0 + e % 8] * 0x1p-32f;
      b[e / 16][e % 16] = in[1024 + (k0 + e / 16) * 32 + blockIdx.x * 16 + e % 16] * 0x1p-32f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float a0 = a[ty * 2][k], a1 = a[ty * 2 + 1][k], b0 = b[k][tx * 2],
                  b1 = b[k][tx * 2 + 1];
      sum[0][0] += a0 * b0;
      sum[0][1] += a0 * b1;
      sum[1][0] += a1 * b0;
      sum[1][1] += a1 * b1;
    }
    __syncthreads();
  }
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x)
      out[(blockIdx.y * 16 + ty * 2 + y) * 32 + blockIdx.x * 16 + tx * 2 + x] =
          __float_as_uint(sum[y][x]);
}

extern "C" __global__ void half2_product(unsigned* out, const unsigned* in) {
  const int row = blockIdx.y * 8 + threadIdx.y, pair = blockIdx.x * 8 + threadIdx.x;
  __half2 sum = __float2half2_rn(0.0f);
  for (int k = 0; k < 32; ++k) {
    const __half a = __int2half_rn(static_cast<int>(in[row * 32 + k] & 15) - 8);
    const __half2 b = __floats2half2_rn((in[1024 + k * 32 + pair] & 255) * 0.125f,
                                        (in[1024 + k * 32 + pair] >> 8 & 255) * 0.0625f);
    sum = __hfma2(__half2half2(a), b, sum);
  }
  out[row * 16 + pair] = *reinterpret_cast<unsigned*>(&sum);
}

extern "C" __global__ void double_naive(unsigned* out, const unsigned* in) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            column = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for (int k = 0; k < 32; k++) sum += (in[row * 32 + k] / 3.0) * (in[k * 32 + column] / 7.0);
  if (column % 2 == 0) reinterpret_cast<double*>(out)[row * 16 + column / 2] = sum;
}

extern "C" __global__ void bytes_dp4a(unsigned* out, const unsigned* in) {
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  int sum = 0;
  unsigned positive = 0;
  for (int k = 0; k < 32; ++k) {
    const unsigned a = in[row * 32 + k], b = in[1024 + column * 32 + k];
    sum = __dp4a(static_cast<int>(a), static_cast<int>(b), sum);
    positive = __dp4a(a, b, positive);
    sum = __dp2a_lo(make_short2(a, a >> 16), make_char4(b, b >> 8, b >> 16, b >> 24), sum);
    positive = __dp2a_hi(a, b, positive);
  }
  out[row * 32 + column] = static_cast<unsigned>(sum) ^ positive * 3;
}

extern "C" __global__ void complex_product(unsigned* out, const unsigned* in) {
  const int x = threadIdx.x, y = threadIdx.y;
  const auto element = [&](int at) {
    return make_cuFloatComplex(static_cast<float>(in[at] & 0xff),
                               static_cast<float>(in[at] >> 8 & 0xff));
  };
  cuFloatComplex sum = make_cuFloatComplex(0, 0);
  for (int k = 0; k < 16; ++k)
    sum = cuCaddf(sum, cuCmulf(element(y * 16 + k), cuConjf(element(k * 16 + x))));
  const cuDoubleComplex ratio =
      cuCdiv(make_cuDoubleComplex(sum.x, sum.y), make_cuDoubleComplex(x + 1, y - 3));
  out[(y * 16 + x) * 4] = __float_as_uint(cuCrealf(sum));
  out[(y * 16 + x) * 4 + 1] = __float_as_uint(cuCabsf(sum));
  out[(y * 16 + x) * 4 + 2] = static_cast<unsigned>(__double_as_longlong(ratio.x) >> 8);
  out[(y * 16 + x) * 4 + 3] = static_cast<unsigned>(__double_as_longlong(cuCabs(ratio)) >> 8);
}

extern "C" __global__ void batched_matvec(unsigned* out, const unsigned* in) {
  const float* matrix = nullptr;
  (void)matrix;
  const unsigned lane = threadIdx.x;
  const float x = static_cast<float>(in[2048 + blockIdx.x * 32 + lane] % 1000);
  for (int row = 0; row < 8; ++row) {
    float sum = static_cast<float>(in[(blockIdx.x * 8 + row) % 64 * 32 + lane] % 1000) * x;
#pragma unroll
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) out[blockIdx.x * 8 + row] = __float_as_uint(sum);
  }
}

extern "C" __global__ void lu_decomposition(unsigned* out, const unsigned* in) {
  __shared__ double a[16][17];
  const int x = threadIdx.x, y = threadIdx.y, base = blockIdx.x * 256;
  a[y][x] = in[base + y * 16 + x] * 0x1p-32 + (x == y ? 16 : 0);
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (x == k && y > k) a[y][k] /= a[k][k];
    __syncthreads();
    if (x > k && y > k) a[y][x] -= a[y][k] * a[k][x];
    __syncthreads();
  }
  reinterpret_cast<double*>(out)[base + y * 16 + x] = a[y][x];
}

extern "C" __global__ void cholesky(unsigned* out, const unsigned* in) {
  __shared__ float a[16][16];
  const int t = threadIdx.x;
  for (int c = 0; c < 16; ++c) {
    a[t][c] =
        (in[blockIdx.x * 16 + t] * 0x1p-32f) * (in[blockIdx.x * 16 + c] * 0x1p-32f) + (t == c);
  }
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    if (t == k) a[k][k] = sqrtf(a[k][k]);
    __syncthreads();
    if (t > k) a[t][k] /= a[k][k];
    __syncthreads();
    for (int j = k + 1; j <= t; ++j) a[t][j] -= a[t][k] * a[j][k];
    __syncthreads();
  }
  for (int c = 0; c < 16; ++c)
    out[blockIdx.x * 256 + t * 16 + c] = __float_as_uint(c <= t ? a[t][c] : 0.0f);
}

// 8 equations with one right-hand side; partial pivoting.
extern "C" __global__ void gauss_jordan(unsigned* out, const unsigned* in) {
  __shared__ float m[8][9];
  __shared__ int pivot;
  const int x = threadIdx.x, y = threadIdx.y;
  m[y][x] = static_cast<int>(in[blockIdx.x * 72 + y * 9 + x]) * 0x1p-30f;
  for (int k = 0; k < 8; ++k) {
    __syncthreads();
    if (x == 0 && y == 0) {
      pivot = k;
      for (int r = k + 1; r < 8; ++r)
        if (fabsf(m[r][k]) > fabsf(m[pivot][k])) pivot = r;
    }
    __syncthreads();
    if (y == 0 && pivot != k) {
      const float swap = m[k][x];
      m[k][x] = m[pivot][x];
      m[pivot][x] = swap;
    }
    __syncthreads();
    const float factor = m[y][k] / m[k][k], top = m[k][x], scale = m[k][k];
    __syncthreads();
    m[y][x] = y == k ? top / scale : m[y][x] - factor * top;
  }
  out[blockIdx.x * 72 + y * 9 + x] = __float_as_uint(m[y][x]);
}

extern "C" __global__ void triangular_solve(unsigned* out, const unsigned* in) {
  __shared__ float x[64];
  const int t = threadIdx.x;
  float right = static_cast<float>(in[t] >> 8) * 0x1p-20f;
  for (int k = 0; k < 64; ++k) {
    if (t == k) x[k] = right / (1 + (in[64 + k] & 7));
    __syncthreads();
    if (t > k) right -= x[k] * ((in[128 + (t * k & 1023)] & 15) * 0.01f);
  }
  out[t] = __float_as_uint(x[t]);
}

extern "C" __global__ void jacobi_solver(unsigned* out, const unsigned* in) {
  __shared__ double x[64];
  const unsigned t = threadIdx.x;
  x[t] = 0;
  for (int step = 0; step < 20; ++step) {
    __syncthreads();
    double sum = in[t] * 0x1p-16;
    for (unsigned k = 0; k < 64; ++k)
      if (k != t) sum -= (in[64 + (t * 64 + k) % 2048] & 1) * 0.01 * x[k];
    __syncthreads();
    x[t] = sum / 4;
  }
  reinterpret_cast<double*>(out)[t] = x[t];
}

extern "C" __global__ void transpose_in_place(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[32][33];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) tile[y][x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (x > y) {
      const unsigned swap = tile[y][x];
      tile[y][x] = tile[x][y];
      tile[x][y] = swap;
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + x] = tile[y][x];
}

struct Matrix8 {
  unsigned long long v[8][8];
};
extern "C" __global__ void power_of_matrix(unsigned* out, const unsigned* in) {
  __shared__ Matrix8 base, result;
  const int x = threadIdx.x, y = threadIdx.y;
  base.v[y][x] = in[y * 8 + x];
  result.v[y][x] = x == y;
  __syncthreads();
  for (unsigned n = 1000003; n; n >>= 1) {
    unsigned long long product = 0, square = 0;
    for (int k = 0; k < 8; ++k) {
      product = (product + result.v[y][k] * base.v[k][x]) % 1000000007ull;
      square = (square + base.v[y][k] * base.v[k][x]) % 1000000007ull;
    }
    __syncthreads();
    if (n & 1) result.v[y][x] = product;
    base.v[y][x] = square;
    __syncthreads();
  }
  out[y * 8 + x] = static_cast<unsigned>(result.v[y][x]);
}
