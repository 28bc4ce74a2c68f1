// SPDX-License-Identifier: Apache-2.0
// Stream compaction, partition, unique and run-length encoding. An element passes if its random
// value modulo 100 is below `percent`. Output positions come from atomics that return the old
// count: one per element, per warp or per block.

__device__ bool passes(unsigned value, unsigned percent) { return value % 100 < percent; }

// Exclusive scan of `flag` over a block of Threads; `total` is the number of flags.
template <int Threads>
__device__ int rank_in_block(bool flag, int* total) {
  __shared__ int warps[Threads / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const unsigned votes = __ballot_sync(~0U, flag);
  if (lane == 0) warps[warp] = __popc(votes);
  __syncthreads();
  int before = 0;
  int all = 0;
  for (int w = 0; w < Threads / 32; ++w) {
    if (w == warp) before = all;
    all += warps[w];
  }
  __syncthreads();
  *total = all;
  return before + __popc(votes & ((1U << lane) - 1));
}

__global__ void by_element(unsigned* out, unsigned* count, const unsigned* in, int n,
                           unsigned percent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned value = in[i];
  if (passes(value, percent)) out[atomicAdd(count, 1U)] = value;
}

__global__ void by_warp(unsigned* out, unsigned* count, const unsigned* in, int n,
                        unsigned percent) {
  const int lane = threadIdx.x % 32;
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += stride) {
    const unsigned value = i < n ? in[i] : 0;
    const bool flag = i < n && passes(value, percent);
    const unsigned votes = __ballot_sync(~0U, flag);
    unsigned base = 0;
    if (lane == 0 && votes != 0) base = atomicAdd(count, static_cast<unsigned>(__popc(votes)));
    base = __shfl_sync(~0U, base, 0);
    if (flag) out[base + __popc(votes & ((1U << lane) - 1))] = value;
  }
}

template <int Threads>
__global__ void by_block(unsigned* out, unsigned* count, const unsigned* in, int n,
                         unsigned percent) {
  __shared__ unsigned base;
  const int i = blockIdx.x * Threads + threadIdx.x;
  const unsigned value = i < n ? in[i] : 0;
  const bool flag = i < n && passes(value, percent);
  int total = 0;
  const int rank = rank_in_block<Threads>(flag, &total);
  if (threadIdx.x == 0) base = atomicAdd(count, static_cast<unsigned>(total));
  __syncthreads();
  if (flag) out[base + rank] = value;
}

// Each thread loads Items elements; survivors go through shared memory, so that stores are
// contiguous.
template <int Threads, int Items>
__global__ void by_tile(unsigned* out, unsigned* count, const unsigned* in, int n,
                        unsigned percent) {
  __shared__ unsigned kept[Threads * Items];
  __shared__ unsigned base;
  unsigned values[Items];
  const int first = blockIdx.x * Threads * Items + threadIdx.x;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const int i = first + k * Threads;
    values[k] = i < n ? in[i] : 99;
  }
  int filled = 0;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const bool flag = first + k * Threads < n && passes(values[k], percent);
    int total = 0;
    const int rank = rank_in_block<Threads>(flag, &total);
    if (flag) kept[filled + rank] = values[k];
    filled += total;
  }
  if (threadIdx.x == 0) base = atomicAdd(count, static_cast<unsigned>(filled));
  __syncthreads();
  for (int k = threadIdx.x; k < filled; k += Threads) out[base + k] = kept[k];
}

// Those that pass go to the front, the others to the back, each side with one atomic per warp.
__global__ void partition_by_warp(unsigned* out, unsigned* counts, const unsigned* in, int n,
                                  unsigned percent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const bool inside = i < n;
  const unsigned value = inside ? in[i] : 0;
  const bool front = inside && passes(value, percent);
  const unsigned fronts = __ballot_sync(~0U, front);
  const unsigned backs = __ballot_sync(~0U, inside && !front);
  unsigned base = 0;
  if (lane == 0 && fronts != 0) base = atomicAdd(&counts[0], static_cast<unsigned>(__popc(fronts)));
  if (lane == 1 && backs != 0) base = atomicAdd(&counts[1], static_cast<unsigned>(__popc(backs)));
  const unsigned front_base = __shfl_sync(~0U, base, 0);
  const unsigned back_base = __shfl_sync(~0U, base, 1);
  const unsigned below = (1U << lane) - 1;
  if (front) out[front_base + __popc(fronts & below)] = value;
  if (inside && !front) out[n - 1 - (back_base + __popc(backs & below))] = value;
}

// Three classes, as in a quicksort step: below, within and above two pivots. Blocks of 256.
__global__ void partition_three(unsigned* low, unsigned* middle, unsigned* high, unsigned* counts,
                                const unsigned* in, int n, unsigned pivot, unsigned width) {
  __shared__ unsigned sizes[3];
  __shared__ unsigned bases[3];
  if (threadIdx.x < 3) sizes[threadIdx.x] = 0;
  __syncthreads();
  unsigned values[4];
  unsigned ranks[4];
  int classes[4];
  for (int k = 0; k < 4; ++k) {
    const int i = (blockIdx.x * 4 + k) * 256 + threadIdx.x;
    classes[k] = -1;
    if (i < n) {
      values[k] = in[i];
      classes[k] = values[k] < pivot ? 0 : (values[k] - pivot < width ? 1 : 2);
      ranks[k] = atomicAdd(&sizes[classes[k]], 1U);
    }
  }
  __syncthreads();
  if (threadIdx.x < 3) bases[threadIdx.x] = atomicAdd(&counts[threadIdx.x], sizes[threadIdx.x]);
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    if (classes[k] < 0) continue;
    unsigned* to = classes[k] == 0 ? low : (classes[k] == 1 ? middle : high);
    to[bases[classes[k]] + ranks[k]] = values[k];
  }
}

// First pass of a two-pass compaction: the number of survivors of each block of 1024 elements.
__global__ void count_survivors(unsigned* counts, const unsigned* in, int n, unsigned percent) {
  int mine = 0;
  for (int k = 0; k < 4; ++k) {
    const int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    mine += __syncthreads_count(i < n && passes(in[i], percent));
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = mine;
}

// Keys are the low bits of `in`. The first key of every run is kept, block by block.
template <int Threads>
__global__ void unique_keys(unsigned* out, unsigned* count, const unsigned* in, int n,
                            unsigned mask) {
  __shared__ unsigned base;
  const int i = blockIdx.x * Threads + threadIdx.x;
  const unsigned key = i < n ? in[i] & mask : 0;
  const bool head = i < n && (i == 0 || (in[i - 1] & mask) != key);
  int total = 0;
  const int rank = rank_in_block<Threads>(head, &total);
  if (threadIdx.x == 0) base = atomicAdd(count, static_cast<unsigned>(total));
  __syncthreads();
  if (head) out[base + rank] = key;
}

// Run-length encoding of each block's elements: keys and lengths of its runs.
template <int Threads>
__global__ void run_lengths(unsigned* keys, unsigned* lengths, unsigned* runs, const unsigned* in,
                            int n, unsigned mask) {
  __shared__ int starts[Threads + 1];
  __shared__ unsigned own[Threads];
  const int first = blockIdx.x * Threads;
  const int t = threadIdx.x;
  const int here = min(Threads, n - first);
  own[t] = t < here ? in[first + t] & mask : 0;
  __syncthreads();
  const bool head = t < here && (t == 0 || own[t - 1] != own[t]);
  int total = 0;
  const int rank = rank_in_block<Threads>(head, &total);
  if (head) starts[rank] = t;
  if (t == 0) {
    starts[total] = here;
    runs[blockIdx.x] = total;
  }
  __syncthreads();
  if (t < total) {
    keys[first + t] = own[starts[t]];
    lengths[first + t] = starts[t + 1] - starts[t];
  }
}

// Expands runs: thread i finds its run by binary search in its block's run starts. Each run has
// 1 to 8 elements; 64 runs per block.
__global__ void expand_runs(unsigned* out, const unsigned* keys, int runs) {
  __shared__ int ends[64];
  __shared__ unsigned own[64];
  const int first = blockIdx.x * 64;
  if (threadIdx.x < 64) {
    own[threadIdx.x] = first + threadIdx.x < runs ? keys[first + threadIdx.x] : 0;
    ends[threadIdx.x] = 1 + (own[threadIdx.x] & 7);
  }
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    int before = 0;
    if (threadIdx.x < 64 && threadIdx.x >= offset) before = ends[threadIdx.x - offset];
    __syncthreads();
    if (threadIdx.x < 64) ends[threadIdx.x] += before;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < ends[63]; i += blockDim.x) {
    int low = 0;
    int high = 63;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (ends[middle] > i) high = middle;
      else low = middle + 1;
    }
    out[blockIdx.x * 512 + i] = own[low];
  }
}
