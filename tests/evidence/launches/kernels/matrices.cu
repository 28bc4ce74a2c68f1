// SPDX-License-Identifier: Apache-2.0
// Matrix products, matrix-vector products, and sums of rows and columns. Matrices are row-major.
// Kernels without guards expect n x n matrices, with n a multiple of 128.

template <class T>
__global__ void product_naive(T* c, const T* a, const T* b, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  T sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// The naive product with x and y exchanged: lanes go down a column of c.
__global__ void product_columns(float* c, const float* a, const float* b, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <class T, int Dim>
__global__ void product_tiled(T* c, const T* a, const T* b, int n) {
  __shared__ T left[Dim][Dim];
  __shared__ T right[Dim][Dim];
  const int column = blockIdx.x * Dim + threadIdx.x;
  const int row = blockIdx.y * Dim + threadIdx.y;
  T sum = 0;
  for (int t = 0; t < n; t += Dim) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < Dim; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// 64 x 64 tiles with 16 x 16 threads, 4 x 4 results per thread.
__global__ void product_registers_4(float* c, const float* a, const float* b, int n) {
  __shared__ float left[16][65];
  __shared__ float right[16][64];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int top = blockIdx.y * 64;
  const int first = blockIdx.x * 64;
  float sums[4][4] = {};
  for (int t = 0; t < n; t += 16) {
    for (int i = thread; i < 64 * 16; i += 256)
      left[i % 16][i / 16] = a[(top + i / 16) * n + t + i % 16];
    for (int i = thread; i < 64 * 16; i += 256)
      right[i / 64][i % 64] = b[(t + i / 64) * n + first + i % 64];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float row[4];
      float column[4];
      for (int i = 0; i < 4; ++i) row[i] = left[k][threadIdx.y * 4 + i];
      for (int j = 0; j < 4; ++j) column[j] = right[k][threadIdx.x + 16 * j];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] += row[i] * column[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      c[(top + threadIdx.y * 4 + i) * n + first + threadIdx.x + 16 * j] = sums[i][j];
    }
  }
}

// 128 x 128 tiles with 16 x 16 threads, 8 x 8 results per thread, 16-byte loads.
__global__ void product_registers_8(float* c, const float* a, const float* b, int n) {
  __shared__ float left[8][132];
  __shared__ __align__(16) float right[8][128];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int top = blockIdx.y * 128;
  const int first = blockIdx.x * 128;
  float sums[8][8] = {};
  for (int t = 0; t < n; t += 8) {
    const float4 from =
        *reinterpret_cast<const float4*>(&a[(top + thread / 2) * n + t + thread % 2 * 4]);
    left[thread % 2 * 4 + 0][thread / 2] = from.x;
    left[thread % 2 * 4 + 1][thread / 2] = from.y;
    left[thread % 2 * 4 + 2][thread / 2] = from.z;
    left[thread % 2 * 4 + 3][thread / 2] = from.w;
    *reinterpret_cast<float4*>(&right[thread / 32][thread % 32 * 4]) =
        *reinterpret_cast<const float4*>(&b[(t + thread / 32) * n + first + thread % 32 * 4]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float row[8];
      float column[8];
      for (int i = 0; i < 8; ++i) row[i] = left[k][threadIdx.y * 8 + i];
      for (int j = 0; j < 8; ++j) column[j] = right[k][threadIdx.x + 16 * j];
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      c[(top + threadIdx.y * 8 + i) * n + first + threadIdx.x + 16 * j] = sums[i][j];
    }
  }
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0U, value, offset);
  return value;
}

// One thread per row.
__global__ void vector_thread_a_row(float* y, const float* a, const float* x, int rows,
                                    int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += a[row * columns + k] * x[k];
  y[row] = sum;
}

__global__ void vector_warp_a_row(float* y, const float* a, const float* x, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < columns; k += 32) sum += a[row * columns + k] * x[k];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

__global__ void vector_block_a_row(float* y, const float* a, const float* x, int columns) {
  __shared__ float warps[32];
  float sum = 0;
  const float* row = a + static_cast<size_t>(blockIdx.x) * columns;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) sum += row[k] * x[k];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
  }
}

// Column sums, one thread per column.
template <class T>
__global__ void column_sums(T* sums, const T* a, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  T sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[r * columns + column];
  sums[column] = sum;
}

// Each block sums a band of `band` rows and adds it with atomics.
__global__ void column_sums_banded(float* sums, const float* a, int rows, int columns, int band) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const int first = blockIdx.y * band;
  float sum = 0;
  for (int r = first; r < first + band && r < rows; ++r) sum += a[r * columns + column];
  atomicAdd(&sums[column], sum);
}

__global__ void row_sums_thread(float* sums, const float* a, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += a[row * columns + k];
  sums[row] = sum;
}

__global__ void row_sums_warp(float* sums, const float* a, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = threadIdx.x % 32; k < columns; k += 32) sum += a[row * columns + k];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[row] = sum;
}
