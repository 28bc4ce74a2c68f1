// SPDX-License-Identifier: Apache-2.0
// Sums: trees in shared memory, shuffles, atomics, thread coarsening and block coarsening. Unless
// stated otherwise, `out` gets one partial sum per block.

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0U, value, offset);
  return value;
}

// Thread 0 returns the block's sum.
__device__ float block_sum(float value) {
  __shared__ float warps[32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return warp_sum(threadIdx.x < (blockDim.x + 31) / 32 ? warps[threadIdx.x] : 0);
}

// A tree in shared memory: a power of two of threads, 4 bytes of dynamic shared memory each.
__global__ void tree(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) sums[threadIdx.x] += sums[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void tree_divergent(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    if (threadIdx.x % (2 * k) == 0) sums[threadIdx.x] += sums[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void tree_conflicts(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    const unsigned at = 2 * k * threadIdx.x;
    if (at < blockDim.x) sums[at] += sums[at + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// Thread coarsening: Factor elements per thread, a block apart.
template <int Factor>
__global__ void coarsened_threads(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  const int first = blockIdx.x * blockDim.x * Factor + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < Factor; ++k) {
    const int i = first + k * blockDim.x;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) sums[threadIdx.x] += sums[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

// Block coarsening: Factor trees side by side, 4 * Factor bytes of dynamic shared memory a thread.
template <int Factor>
__global__ void coarsened_blocks(float* out, const float* in) {
  extern __shared__ float sums[];
  for (int f = 0; f < Factor; ++f) {
    sums[f * blockDim.x + threadIdx.x] = in[(blockIdx.x * Factor + f) * blockDim.x + threadIdx.x];
  }
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      for (int f = 0; f < Factor; ++f) {
        sums[f * blockDim.x + threadIdx.x] += sums[f * blockDim.x + threadIdx.x + k];
      }
    }
    __syncthreads();
  }
  if (threadIdx.x < Factor) out[blockIdx.x * Factor + threadIdx.x] = sums[threadIdx.x * blockDim.x];
}

__global__ void shuffles(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// One sum per warp, without shared memory.
__global__ void shuffles_only(float* out, const float* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = warp_sum(in[i]);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

// Butterfly reductions of every warp, `times` times: bound by shuffles.
__global__ void many_shuffles(float* out, const float* in, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int t = 0; t < times; ++t) {
    for (int k = 1; k < 32; k *= 2) v += __shfl_xor_sync(~0U, v, k);
    v *= 0.03F;
  }
  out[i] = v;
}

// A grid-stride loop.
__global__ void many(float* out, const float* in, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void many_fours(float* out, const float4* in, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Several sums per thread, so that several loads are in flight.
template <int Sums>
__global__ void many_unrolled(float* out, const float* in, int n) {
  const int threads = gridDim.x * blockDim.x;
  float sums[Sums] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += Sums * threads) {
#pragma unroll
    for (int k = 0; k < Sums; ++k)
      sums[k] += in[i + k * threads];  // n is a multiple of Sums * threads
  }
  float sum = 0;
  for (int k = 0; k < Sums; ++k) sum += sums[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Consecutive elements per thread: adjacent lanes are far apart.
__global__ void many_consecutive(float* out, const float* in, int each) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  float sum = 0;
  for (int k = 0; k < each; ++k) sum += in[first + k];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Adds each block's sum to one word with an atomic.
__global__ void atomic_at_the_end(float* out, const float* in, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

// Every warp adds to one word of shared memory with an atomic.
__global__ void atomic_by_warp(float* out, const float* in, int n) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = warp_sum(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, own);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// The largest element and its index, in parallel arrays.
__global__ void largest(float* out, int* place, const float* in, int n) {
  __shared__ float values[256];
  __shared__ int places[256];
  float best = -1;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > best) {
      best = in[i];
      at = i;
    }
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = at;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k && values[threadIdx.x + k] > values[threadIdx.x]) {
      values[threadIdx.x] = values[threadIdx.x + k];
      places[threadIdx.x] = places[threadIdx.x + k];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = values[0];
    place[blockIdx.x] = places[0];
  }
}
