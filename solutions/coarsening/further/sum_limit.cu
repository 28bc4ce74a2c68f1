// SPDX-License-Identifier: Apache-2.0
// Going further in coarsening: the sum of an array in one launch, at the speed of reading it.
//
// Launch: sum_limit<<<2 * multiprocessors, 512>>>(total, partial, counters, in, n). `partial` has a
// float per block. The two `counters` must be 0 before the first launch; each launch resets them.
//
// Idea: use just enough threads to keep the memory busy, each with eight 16-byte loads in flight.
// On an H200, only 264 blocks then need a tree and its barriers.
//
// Why blocks draw chunks from a counter: with a fixed share per block, some blocks get ahead of
// others, and the strip of memory that is read at one time grows wide. DRAM prefers a narrow strip.
// So a block draws the number of its next chunk while it waits for the loads of the current one.
// The chunks of a block differ from run to run, and so does the rounding.
//
// The last block to finish adds the sums of all blocks. `__threadfence` orders a block's store of
// its sum before its increment of the counter. So the block that reads the last count also sees all
// sums. A second launch would take longer than the barrier at the end of this one.
//
// Measured on two H200 cards with 2^27 floats (driver 580.159.04, 21 November 2026;
// tests/evidence/cuda/further.cu): 4,179 and 4,130 GB/s, both 1.024 of cub::DeviceReduce::Sum.

constexpr unsigned kThreads = 512;  // blockDim.x
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kInFlight = 8;
constexpr unsigned kChunk = kThreads * kInFlight;  // 16-byte words
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ float warp_sum(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(kAllLanes, value, step);
  return value;
}

// Returns the sum of all threads' values in thread 0.
__device__ float block_sum(float value, float* sums) {
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) value = warp_sum(threadIdx.x < kWarps ? sums[threadIdx.x] : 0.0f);
  return value;
}

__device__ float sum_of_chunks(const float* in, unsigned n, unsigned* chunks_taken) {
  __shared__ unsigned next[2];  // two, so one barrier per chunk is enough
  const unsigned chunks = n / (4 * kChunk);
  float4 sum = make_float4(0, 0, 0, 0);
  unsigned turn = 0;
  for (unsigned chunk = blockIdx.x; chunk < chunks;) {
    if (threadIdx.x == 0) next[turn] = gridDim.x + atomicAdd(chunks_taken, 1u);
    const float4* words = reinterpret_cast<const float4*>(in) + chunk * kChunk + threadIdx.x;
    float4 value[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) value[k] = words[k * kThreads];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      sum.x += value[k].x;
      sum.y += value[k].y;
      sum.z += value[k].z;
      sum.w += value[k].w;
    }
    __syncthreads();
    chunk = next[turn];
    turn ^= 1;
  }
  float rest = 0;  // elements after the last whole chunk
  for (unsigned i = chunks * 4 * kChunk + blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads) {
    rest += in[i];
  }
  return (sum.x + sum.y) + (sum.z + sum.w) + rest;
}

__global__ void __launch_bounds__(kThreads)
    sum_limit(float* total, float* partial, unsigned* counters, const float* in, unsigned n) {
  __shared__ float sums[kWarps];
  __shared__ bool is_last;
  unsigned* chunks_taken = &counters[0];
  unsigned* blocks_done = &counters[1];

  const float sum = block_sum(sum_of_chunks(in, n, chunks_taken), sums);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;

  float rest = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) rest += __ldcg(&partial[b]);
  rest = block_sum(rest, sums);
  if (threadIdx.x == 0) {
    *total = rest;
    *chunks_taken = 0;
    *blocks_done = 0;
  }
}
