// SPDX-License-Identifier: Apache-2.0
// Sparse matrix-vector products. Each row has room for 32 entries; row r uses length(r) of them.
// The length is a hash of r, so no buffer of row offsets is needed. Columns come from a buffer of
// random integers, limited to a band of 2^band columns around the row: a wide band is random, a
// narrow one local.

__device__ int length(int row) {
  unsigned h = static_cast<unsigned>(row) * 0x9e3779b1U;
  h ^= h >> 15;
  h *= 0x85ebca6bU;
  return 4 + static_cast<int>(h >> 27) % 29;  // 4 to 32
}

__device__ int near(int row, unsigned random, int band, int rows) {
  const int first = row - (1 << band) / 2;
  return (first + static_cast<int>(random & ((1U << band) - 1))) & (rows - 1);
}

// rows is a power of two in all kernels.
__global__ void csr_scalar(float* y, const float* values, const unsigned* columns, const float* x,
                           int rows, int band) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row * 32 + length(row);
  for (int k = row * 32; k < end; ++k) sum += values[k] * x[near(row, columns[k], band, rows)];
  y[row] = sum;
}

__global__ void csr_vector(float* y, const float* values, const unsigned* columns, const float* x,
                           int rows, int band) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  const int end = row * 32 + length(row);
  for (int k = row * 32 + lane; k < end; k += 32) {
    sum += values[k] * x[near(row, columns[k], band, rows)];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) y[row] = sum;
}

// Eight lanes per row.
__global__ void csr_part_of_warp(float* y, const float* values, const unsigned* columns,
                                 const float* x, int rows, int band) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int lane = threadIdx.x % 8;
  if (row >= rows) return;
  float sum = 0;
  const int end = row * 32 + length(row);
  for (int k = row * 32 + lane; k < end; k += 8) {
    sum += values[k] * x[near(row, columns[k], band, rows)];
  }
  for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) y[row] = sum;
}

// Entry k of all rows is contiguous; each row has `width` entries.
__global__ void ell(float* y, const float* values, const unsigned* columns, const float* x,
                    int rows, int width, int band) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int at = k * rows + row;
    sum += values[at] * x[near(row, columns[at], band, rows)];
  }
  y[row] = sum;
}

// One thread per entry; atomics add the products to their rows.
__global__ void coordinates(float* y, const float* values, const unsigned* columns, const float* x,
                            int entries, int rows, int band) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= entries) return;
  const int row = k / 32;
  atomicAdd(&y[row], values[k] * x[near(row, columns[k], band, rows)]);
}

// A breadth-first search step: each vertex gets its smallest depth through a reached neighbour.
__global__ void reached(int* next, const int* depth, const unsigned* columns, int rows, int band) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int best = depth[row];
  const int end = row * 32 + length(row);
  for (int k = row * 32; k < end; ++k) {
    const int other = depth[near(row, columns[k], band, rows)];
    if (other + 1 < best) best = other + 1;
  }
  next[row] = best;
}
