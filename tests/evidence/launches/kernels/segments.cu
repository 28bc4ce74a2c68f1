// SPDX-License-Identifier: Apache-2.0
// Passes of device-wide scans, reductions over segments and by key, arg-max, and a reduction that
// the last block finishes. Segment s starts at s * mean + hash(s) % mean, so lengths vary from 1 to
// 2 * mean - 1 and no buffer of offsets is needed. `mean` is a power of two.

__device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

__device__ int segment_start(int s, int mean) {
  return s == 0 ? 0 : s * mean + static_cast<int>(mixed(s) & (mean - 1));
}

// The segment of element i.
__device__ int segment_of(int i, int mean) {
  const int s = i / mean;
  return s > 0 && i < segment_start(s, mean) ? s - 1 : s;
}

template <class T>
__device__ T warp_inclusive(T value) {
  const int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const T other = __shfl_up_sync(~0U, value, offset);
    if (lane >= offset) value += other;
  }
  return value;
}

// Exclusive scan over a block of up to 1024 threads. `total` is the sum of all values.
template <class T>
__device__ T block_exclusive(T value, T* total) {
  __shared__ T warps[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const T through = warp_inclusive(value);
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  if (warp == 0) {
    const T of_warps = warp_inclusive(lane < blockDim.x / 32 ? warps[lane] : T(0));
    warps[lane] = of_warps;
  }
  __syncthreads();
  const T before = (warp > 0 ? warps[warp - 1] : T(0)) + through - value;
  *total = warps[31];
  __syncthreads();
  return before;
}

// First pass of a scan: each block scans a tile of Items per thread, exchanged through shared
// memory, and stores the tile's sum.
template <class T, int Threads, int Items>
__global__ void scan_tile(T* out, T* sums, const T* in, int n) {
  __shared__ T tile[Threads * Items];
  const int first = blockIdx.x * Threads * Items;
  for (int k = threadIdx.x; k < Threads * Items; k += Threads) {
    tile[k] = first + k < n ? in[first + k] : T(0);
  }
  __syncthreads();
  T own[Items];
  T sum = 0;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    own[k] = sum;
    sum += tile[threadIdx.x * Items + k];
  }
  T total = 0;
  const T before = block_exclusive(sum, &total);
#pragma unroll
  for (int k = 0; k < Items; ++k) tile[threadIdx.x * Items + k] = own[k] + before;
  __syncthreads();
  for (int k = threadIdx.x; k < Threads * Items; k += Threads) {
    if (first + k < n) out[first + k] = tile[k];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// Second pass: one block scans all tiles' sums, a block's width at a time.
template <class T>
__global__ void scan_sums(T* out, const T* in, int n) {
  T carry = 0;
  for (int first = 0; first < n; first += blockDim.x) {
    const int i = first + threadIdx.x;
    T total = 0;
    const T before = block_exclusive(i < n ? in[i] : T(0), &total);
    if (i < n) out[i] = carry + before;
    carry += total;
  }
}

// Third pass: adds each tile's offset to its elements.
template <class T, int Items>
__global__ void add_offsets(T* out, const T* in, const T* offsets, int n) {
  const T offset = offsets[blockIdx.x];
  const int first = blockIdx.x * blockDim.x * Items + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const int i = first + k * blockDim.x;
    if (i < n) out[i] = in[i] + offset;
  }
}

// Running maximum of each row of `width` elements; one warp per row.
__global__ void scan_max_rows(float* out, const float* in, int rows, int width) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float carry = -1e30F;
  for (int x = lane; x - lane < width; x += 32) {
    float value = x < width ? in[row * width + x] : -1e30F;
    for (int offset = 1; offset < 32; offset *= 2) {
      const float other = __shfl_up_sync(~0U, value, offset);
      if (lane >= offset) value = fmaxf(value, other);
    }
    value = fmaxf(value, carry);
    if (x < width) out[row * width + x] = value;
    carry = __shfl_sync(~0U, value, 31);
  }
}

// A scan that restarts at each segment, within a warp's 32 elements.
__global__ void segmented_scan(float* out, const float* in, int n, int mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  float value = i < n ? in[i] : 0;
  const int segment = segment_of(i, mean);
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_up_sync(~0U, value, offset);
    const int its = __shfl_up_sync(~0U, segment, offset);
    if (lane >= offset && its == segment) value += other;
  }
  if (i < n) out[i] = value;
}

__global__ void segment_sum_thread(float* out, const float* in, int segments, int mean) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= segments) return;
  const int end = segment_start(s + 1, mean);
  float sum = 0;
  for (int i = segment_start(s, mean); i < end; ++i) sum += in[i];
  out[s] = sum;
}

__global__ void segment_sum_warp(float* out, const float* in, int segments, int mean) {
  const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (s >= segments) return;
  const int lane = threadIdx.x % 32;
  const int end = segment_start(s + 1, mean);
  float sum = 0;
  for (int i = segment_start(s, mean) + lane; i < end; i += 32) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) out[s] = sum;
}

__global__ void segment_sum_block(float* out, const float* in, int mean) {
  __shared__ float warps[32];
  const int lane = threadIdx.x % 32;
  const int end = segment_start(blockIdx.x + 1, mean);
  float sum = 0;
  for (int i = segment_start(blockIdx.x, mean) + threadIdx.x; i < end; i += blockDim.x) {
    sum += in[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = lane < blockDim.x / 32 ? warps[lane] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (lane == 0) out[blockIdx.x] = sum;
}

// Sums by sorted keys: a warp reduces its elements by segment; the last lane of each adds to `out`.
__global__ void reduce_by_key(float* out, const float* in, int n, int mean) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  float value = i < n ? in[i] : 0;
  const int key = segment_of(i < n ? i : n - 1, mean);
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_up_sync(~0U, value, offset);
    const int its = __shfl_up_sync(~0U, key, offset);
    if (lane >= offset && its == key) value += other;
  }
  const int next = __shfl_down_sync(~0U, key, 1);
  if (lane == 31 || next != key) atomicAdd(&out[key], value);
}

// Sums by unsorted keys, the low bits of a random buffer.
__global__ void reduce_by_key_atomic(float* out, const unsigned* keys, const float* in, int n,
                                     unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[keys[i] & mask], in[i]);
}

// The same in a block's shared memory first; at most 2048 keys.
__global__ void reduce_by_key_shared(float* out, const unsigned* keys, const float* in, int n,
                                     unsigned mask) {
  __shared__ float sums[2048];
  for (int k = threadIdx.x; k <= mask; k += blockDim.x) sums[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&sums[keys[i] & mask], in[i]);
  }
  __syncthreads();
  for (int k = threadIdx.x; k <= mask; k += blockDim.x) atomicAdd(&out[k], sums[k]);
}

// The largest value and its index, packed in 64 bits for one atomic per block. Values are positive.
__global__ void arg_max(unsigned long long* best, const float* in, int n) {
  __shared__ unsigned long long warps[32];
  unsigned long long own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned long long packed =
        static_cast<unsigned long long>(__float_as_uint(in[i])) << 32 | static_cast<unsigned>(i);
    own = max(own, packed);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    own = max(own, __shfl_xor_sync(~0U, own, offset));
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w) own = max(own, warps[w]);
    atomicMax(best, own);
  }
}

// The column of the largest value of each row; a block per row.
__global__ void arg_max_rows(int* out, const float* in, int width) {
  __shared__ float values[256];
  __shared__ int columns[256];
  const int t = threadIdx.x;
  float best = -1;
  int column = 0;
  for (int x = t; x < width; x += 256) {
    const float value = in[blockIdx.x * width + x];
    if (value > best) {
      best = value;
      column = x;
    }
  }
  values[t] = best;
  columns[t] = column;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && values[t + half] > values[t]) {
      values[t] = values[t + half];
      columns[t] = columns[t + half];
    }
  }
  if (t == 0) out[blockIdx.x] = columns[0];
}

// A dot product in one launch: the block with the last ticket adds all blocks' sums.
__global__ void dot_last_block(float* out, float* partial, unsigned* tickets, const float* a,
                               const float* b, int n) {
  __shared__ float warps[8];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += a[i] * b[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < 8; ++w) sum += warps[w];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(tickets, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0;
  for (int k = threadIdx.x; k < gridDim.x; k += 256) sum += __ldcg(&partial[k]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < 8; ++w) sum += warps[w];
    *out = sum;
  }
}
