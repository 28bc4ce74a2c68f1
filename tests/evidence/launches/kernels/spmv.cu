// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices in several formats. Row r starts at r * mean + hash(r) % mean, so
// rows have 1 to 2 * mean - 1 entries without gaps. Columns are random words, masked to a window of
// 2^window columns around the row, or to all columns. Powers of two: mean, columns.

__device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

__device__ int row_start(int row, int mean) {
  return row == 0 ? 0 : row * mean + static_cast<int>(mixed(row) & (mean - 1));
}

__device__ int column_near(int row, unsigned random, int window, int columns) {
  return (row + static_cast<int>(random & ((1U << window) - 1))) & (columns - 1);
}

template <class T>
__global__ void rows_by_thread(T* y, const T* values, const unsigned* indices, const T* x, int rows,
                               int mean, int window, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  const int end = row_start(row + 1, mean);
  for (int k = row_start(row, mean); k < end; ++k) {
    sum += values[k] * x[column_near(row, indices[k], window, columns)];
  }
  y[row] = sum;
}

// `Lanes` lanes per row.
template <int Lanes>
__global__ void rows_by_lanes(float* y, const float* values, const unsigned* indices,
                              const float* x, int rows, int mean, int window, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
  const int lane = threadIdx.x % Lanes;
  float sum = 0;
  if (row < rows) {
    const int end = row_start(row + 1, mean);
    for (int k = row_start(row, mean) + lane; k < end; k += Lanes) {
      sum += values[k] * x[column_near(row, indices[k], window, columns)];
    }
  }
  for (int offset = Lanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  if (row < rows && lane == 0) y[row] = sum;
}

// One block of 128 per row, for long rows.
__global__ void rows_by_block(float* y, const float* values, const unsigned* indices,
                              const float* x, int mean, int window, int columns) {
  __shared__ float warps[4];
  const int row = blockIdx.x;
  const int end = row_start(row + 1, mean);
  float sum = 0;
  for (int k = row_start(row, mean) + threadIdx.x; k < end; k += 128) {
    sum += values[k] * x[column_near(row, indices[k], window, columns)];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = warps[0] + warps[1] + warps[2] + warps[3];
}

// Entries in order: a block of 256 multiplies 1024 entries into shared memory, then threads add the
// rows that start there; the first and last rows are shared with neighbours and use atomics.
__global__ void stream_entries(float* y, const float* values, const unsigned* indices,
                               const float* x, int entries, int mean, int window, int columns) {
  __shared__ float products[1024];
  const int first = blockIdx.x * 1024;
  const int end = min(first + 1024, entries);
  for (int k = first + threadIdx.x; k < end; k += 256) {
    products[k - first] = values[k] * x[column_near(k / mean, indices[k], window, columns)];
  }
  __syncthreads();
  const int last_row = (end - 1) / mean;
  for (int row = max(0, first / mean - 1) + threadIdx.x; row <= last_row; row += 256) {
    const int begin = row_start(row, mean);
    const int finish = row_start(row + 1, mean);
    if (finish <= first || begin >= end) continue;
    float sum = 0;
    for (int k = max(begin, first); k < min(finish, end); ++k) sum += products[k - first];
    if (begin >= first && finish <= end) y[row] = sum;
    else atomicAdd(&y[row], sum);
  }
}

// Coordinates in random order: every entry adds to a random row.
__global__ void scattered_coordinates(float* y, const float* values, const unsigned* row_of,
                                      const unsigned* column_of, const float* x, int entries,
                                      unsigned mask) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < entries) atomicAdd(&y[row_of[k] & mask], values[k] * x[column_of[k] & mask]);
}

// Slices of 32 rows, each as wide as its longest row; slice s starts at s * 32 * width.
__global__ void sliced_ell(float* y, const float* values, const unsigned* indices, const float* x,
                           int rows, int width, int window, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int slice = row / 32;
  const int longest = 1 + static_cast<int>(mixed(slice) % width);
  const int base = slice * 32 * width + row % 32;
  float sum = 0;
  for (int k = 0; k < longest; ++k) {
    const int at = base + 32 * k;
    sum += values[at] * x[column_near(row, indices[at], window, columns)];
  }
  y[row] = sum;
}

// Blocks of 4 x 4: four lanes per block row, one for each of its rows; `width` blocks per row.
__global__ void blocks_of_four(float* y, const float4* values, const unsigned* indices,
                               const float4* x, int block_rows, int width, int columns) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / 4;
  if (row >= block_rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const float4 a = values[(row * width + k) * 4 + t % 4];
    const float4 b = x[column_near(row, indices[row * width + k], 12, columns)];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  y[t] = sum;
}

// Several right-hand sides: y = A x with `Vectors` columns, stored by row; a warp per row.
template <int Vectors>
__global__ void many_vectors(float* y, const float* values, const unsigned* indices, const float* x,
                             int rows, int mean, int window, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum[Vectors / 32] = {};
  const int end = row_start(row + 1, mean);
  for (int k = row_start(row, mean); k < end; ++k) {
    const float value = values[k];
    const float* from = x + column_near(row, indices[k], window, columns) * Vectors;
#pragma unroll
    for (int v = 0; v < Vectors / 32; ++v) sum[v] += value * from[32 * v + lane];
  }
#pragma unroll
  for (int v = 0; v < Vectors / 32; ++v) y[row * Vectors + 32 * v + lane] = sum[v];
}

// Sampled dense products: for each entry, the dot product of two rows of 32 floats; a warp per row.
__global__ void sampled_products(float* out, const unsigned* indices, const float* a,
                                 const float* b, int rows, int mean, int window, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float own = a[row * 32 + lane];
  const int end = row_start(row + 1, mean);
  for (int k = row_start(row, mean); k < end; ++k) {
    float product = own * b[column_near(row, indices[k], window, columns) * 32 + lane];
    for (int offset = 16; offset > 0; offset /= 2) {
      product += __shfl_xor_sync(~0U, product, offset);
    }
    if (lane == 0) out[k] = product;
  }
}

// One Jacobi sweep with the rows' diagonal at their first entry.
__global__ void jacobi_rows(float* next, const float* values, const unsigned* indices,
                            const float* x, const float* right, int rows, int mean, int window) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int begin = row_start(row, mean);
  const int end = row_start(row + 1, mean);
  float sum = right[row];
  for (int k = begin + 1; k < end; ++k) {
    sum -= values[k] * x[column_near(row, indices[k], window, rows)];
  }
  next[row] = sum / (values[begin] + mean);
}
