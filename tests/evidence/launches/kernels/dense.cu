// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices of any shape in single, double and half precision, from naive to
// register tiles, and batches of small matrices. Matrices are row-major: c (m x n), a (m x k),
// b (k x n).
#include <cuda_fp16.h>

template <class T>
__global__ void gemm_naive(T* c, const T* a, const T* b, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// The naive product with b transposed (n x k): every lane reads its own row.
__global__ void gemm_transposed_naive(float* c, const float* a, const float* b, int m, int n,
                                      int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[column * k + i];
  c[row * n + column] = sum;
}

// Tiles of Side x Side, guarded in all three sizes.
template <class T, int Side>
__global__ void gemm_tiled(T* c, const T* a, const T* b, int m, int n, int k) {
  __shared__ T left[Side][Side];
  __shared__ T right[Side][Side];
  const int column = blockIdx.x * Side + threadIdx.x;
  const int row = blockIdx.y * Side + threadIdx.y;
  T sum = 0;
  for (int first = 0; first < k; first += Side) {
    const int i = first + threadIdx.x;
    const int j = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < m && i < k ? a[row * k + i] : T(0);
    right[threadIdx.y][threadIdx.x] = j < k && column < n ? b[j * n + column] : T(0);
    __syncthreads();
    for (int t = 0; t < Side; ++t) sum += left[threadIdx.y][t] * right[t][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// b transposed (n x k), read by rows and stored transposed; the padding avoids bank conflicts.
template <int Padding>
__global__ void gemm_transposed_tiled(float* c, const float* a, const float* b, int m, int n,
                                      int k) {
  __shared__ float left[32][32];
  __shared__ float right[32][32 + Padding];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32;
  float sum[4] = {0, 0, 0, 0};
  for (int first = 0; first < k; first += 32) {
    for (int t = threadIdx.y; t < 32; t += 8) {
      left[t][threadIdx.x] = a[(row + t) * k + first + threadIdx.x];
      right[t][threadIdx.x] = b[(blockIdx.x * 32 + t) * k + first + threadIdx.x];
    }
    __syncthreads();
    for (int t = 0; t < 32; ++t) {
      const float value = right[threadIdx.x][t];
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += left[threadIdx.y + 8 * r][t] * value;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) c[(row + threadIdx.y + 8 * r) * n + column] = sum[r];
}

// A thread computes 4 x 4 elements directly from global memory.
__global__ void gemm_4x4_global(float* c, const float* a, const float* b, int n, int k) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  float sum[4][4] = {};
  for (int i = 0; i < k; ++i) {
    const float4 right = *reinterpret_cast<const float4*>(b + i * n + column);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const float left = a[(row + r) * k + i];
      sum[r][0] += left * right.x;
      sum[r][1] += left * right.y;
      sum[r][2] += left * right.z;
      sum[r][3] += left * right.w;
    }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    *reinterpret_cast<float4*>(c + (row + r) * n + column) =
        make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
  }
}

// 16 x 16 threads with Each x Each elements per thread, 16 apart; Deep columns of a per step.
// m and n are multiples of 16 * Each, k of Deep.
template <class T, int Each, int Deep>
__global__ void gemm_registers(T* c, const T* a, const T* b, int n, int k) {
  constexpr int kSide = 16 * Each;
  __shared__ T left[Deep][kSide + 1];
  __shared__ T right[Deep][kSide];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int row = blockIdx.y * kSide;
  const int column = blockIdx.x * kSide;
  T sum[Each][Each] = {};
  for (int first = 0; first < k; first += Deep) {
    for (int t = thread; t < kSide * Deep; t += 256) {
      left[t % Deep][t / Deep] = a[(row + t / Deep) * k + first + t % Deep];
      right[t / kSide][t % kSide] = b[(first + t / kSide) * n + column + t % kSide];
    }
    __syncthreads();
#pragma unroll
    for (int t = 0; t < Deep; ++t) {
      T x[Each];
      T y[Each];
#pragma unroll
      for (int r = 0; r < Each; ++r) x[r] = left[t][threadIdx.y + 16 * r];
#pragma unroll
      for (int s = 0; s < Each; ++s) y[s] = right[t][threadIdx.x + 16 * s];
#pragma unroll
      for (int r = 0; r < Each; ++r) {
#pragma unroll
        for (int s = 0; s < Each; ++s) sum[r][s] += x[r] * y[s];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < Each; ++r) {
#pragma unroll
    for (int s = 0; s < Each; ++s) {
      c[(row + threadIdx.y + 16 * r) * n + column + threadIdx.x + 16 * s] = sum[r][s];
    }
  }
}

// Tiles of 64 x 64; the next tiles are loaded to registers while the current ones are multiplied.
__global__ void gemm_prefetched(float* c, const float* a, const float* b, int n, int k) {
  __shared__ float left[16][64 + 4];
  __shared__ float right[16][64];
  const int thread = threadIdx.x;
  const int row = blockIdx.y * 64;
  const int column = blockIdx.x * 64;
  const float* from_a = a + (row + thread / 4) * k + thread % 4 * 4;
  const float* from_b = b + thread / 16 * n + column + thread % 16 * 4;
  const int y = thread / 16 * 4;
  const int x = thread % 16 * 4;
  float4 next_a = *reinterpret_cast<const float4*>(from_a);
  float4 next_b = *reinterpret_cast<const float4*>(from_b);
  float sum[4][4] = {};
  for (int first = 0; first < k; first += 16) {
    const int deep = thread % 4 * 4;
    left[deep][thread / 4] = next_a.x;
    left[deep + 1][thread / 4] = next_a.y;
    left[deep + 2][thread / 4] = next_a.z;
    left[deep + 3][thread / 4] = next_a.w;
    *reinterpret_cast<float4*>(&right[thread / 16][x]) = next_b;
    __syncthreads();
    if (first + 16 < k) {
      next_a = *reinterpret_cast<const float4*>(from_a + first + 16);
      next_b = *reinterpret_cast<const float4*>(from_b + (first + 16) * n);
    }
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const float4 p = *reinterpret_cast<const float4*>(&left[t][y]);
      const float4 q = *reinterpret_cast<const float4*>(&right[t][x]);
      const float ps[4] = {p.x, p.y, p.z, p.w};
      const float qs[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int r = 0; r < 4; ++r) {
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[r][s] += ps[r] * qs[s];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    *reinterpret_cast<float4*>(c + (row + y + r) * n + column + x) =
        make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
  }
}

// k is cut into pieces, one per blockIdx.z, whose sums are added by atomics. m and n are multiples
// of 32, k of 32 * gridDim.z.
__global__ void gemm_split_k(float* c, const float* a, const float* b, int n, int k) {
  __shared__ float left[32][33];
  __shared__ float right[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int piece = k / gridDim.z;
  float sum = 0;
  for (int first = blockIdx.z * piece; first < (blockIdx.z + 1) * piece; first += 32) {
    left[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 32; ++t) sum += left[threadIdx.y][t] * right[t][threadIdx.x];
    __syncthreads();
  }
  atomicAdd(&c[row * n + column], sum);
}

// Pairs of halves along n, sums in half precision; n is even.
__global__ void gemm_half_pairs(__half2* c, const __half* a, const __half2* b, int m, int n,
                                int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n / 2) return;
  __half2 sum = __float2half2_rn(0);
  for (int i = 0; i < k; ++i) {
    sum = __hfma2(__half2half2(a[row * k + i]), b[i * (n / 2) + column], sum);
  }
  c[row * (n / 2) + column] = sum;
}

// Halves in shared tiles of 32, sums in float.
__global__ void gemm_half_tiled(__half* c, const __half* a, const __half* b, int n, int k) {
  __shared__ __half left[32][32];
  __shared__ __half right[32][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < k; first += 32) {
    left[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int t = 0; t < 32; ++t) {
      sum += __half2float(left[threadIdx.y][t]) * __half2float(right[t][threadIdx.x]);
    }
    __syncthreads();
  }
  c[row * n + column] = __float2half(sum);
}

// a times its transpose, only tiles on and below the diagonal; other blocks return.
__global__ void symmetric_rank_k(float* c, const float* a, int n, int k) {
  __shared__ float left[16][17];
  __shared__ float right[16][17];
  if (blockIdx.x > blockIdx.y) return;
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = a[(blockIdx.x * 16 + threadIdx.y) * k + first + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 16; ++t) sum += left[threadIdx.y][t] * right[threadIdx.x][t];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// One thread multiplies two Side x Side matrices in registers.
template <int Side>
__global__ void batch_thread(float* c, const float* a, const float* b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const size_t first = static_cast<size_t>(i) * Side * Side;
  float x[Side * Side];
#pragma unroll
  for (int t = 0; t < Side * Side; ++t) x[t] = a[first + t];
#pragma unroll
  for (int column = 0; column < Side; ++column) {
    float y[Side];
#pragma unroll
    for (int t = 0; t < Side; ++t) y[t] = b[first + t * Side + column];
#pragma unroll
    for (int row = 0; row < Side; ++row) {
      float sum = 0;
#pragma unroll
      for (int t = 0; t < Side; ++t) sum += x[row * Side + t] * y[t];
      c[first + row * Side + column] = sum;
    }
  }
}

// One block of Side x Side threads per pair of matrices.
template <int Side>
__global__ void batch_block(float* c, const float* a, const float* b) {
  __shared__ float left[Side][Side];
  __shared__ float right[Side][Side];
  const size_t at =
      static_cast<size_t>(blockIdx.x) * Side * Side + threadIdx.y * Side + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[at];
  right[threadIdx.y][threadIdx.x] = b[at];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int t = 0; t < Side; ++t) sum += left[threadIdx.y][t] * right[t][threadIdx.x];
  c[at] = sum;
}

// Matrices of 4 x 4 times vectors of 4, as in graphics: the matrix is the same for 64 vectors.
__global__ void transform_points(float4* out, const float4* points, const float4* matrices,
                                 int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4* m = matrices + i / 64 * 4;
  const float4 p = points[i];
  float v[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) v[r] = m[r].x * p.x + m[r].y * p.y + m[r].z * p.z + m[r].w * p.w;
  out[i] = make_float4(v[0] / v[3], v[1] / v[3], v[2] / v[3], v[3]);
}
