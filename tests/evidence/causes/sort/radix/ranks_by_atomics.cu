// SPDX-License-Identifier: Apache-2.0
// cause: race line=57
// says: The rank of a key is what an atomic on the counter of its digit returns, so the order of equal digits depends on which thread comes first: the pass is not stable.
constexpr unsigned kPart = 4096, kThreads = 256, kEach = kPart / kThreads;

__device__ unsigned inclusive_in_warp(unsigned x) {
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned y = __shfl_up_sync(0xffffffffu, x, d);
    if ((threadIdx.x & 31) >= d) x += y;
  }
  return x;
}

__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned begin = blockIdx.x * kPart, end = min(begin + kPart, n);
  for (unsigned i = begin + threadIdx.x; i < end; i += kThreads) {
    atomicAdd(&bins[in[i] >> shift & 255], 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned before_piece = 0;
  for (unsigned at = 0; at < total; at += 1024) {
    const unsigned i = at + threadIdx.x, own = i < total ? counts[i] : 0;
    const unsigned in_warp = inclusive_in_warp(own);
    if (lane == 31) sums[warp] = in_warp;
    __syncthreads();
    if (warp == 0) sums[lane] = inclusive_in_warp(sums[lane]);
    __syncthreads();
    if (i < total) counts[i] = before_piece + (warp ? sums[warp - 1] : 0) + in_warp - own;
    before_piece += sums[31];
    __syncthreads();
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned bins[256], begin_of[256], target[256], ordered[kPart], warps[8];
  const unsigned t = threadIdx.x, first = blockIdx.x * kPart, size = min(kPart, n - first);
  bins[t] = 0;
  __syncthreads();
  unsigned key[kEach], rank[kEach];
#pragma unroll
  for (unsigned j = 0; j < kEach; ++j) {
    const unsigned i = j * kThreads + t;
    key[j] = i < size ? in[first + i] : 0;
  }
#pragma unroll
  for (unsigned j = 0; j < kEach; ++j) {
    if (j * kThreads + t < size) rank[j] = atomicAdd(&bins[key[j] >> shift & 255], 1);
  }
  __syncthreads();
  const unsigned own = bins[t], upto = inclusive_in_warp(own);
  if (t % 32 == 31) warps[t / 32] = upto;
  __syncthreads();
  unsigned begin = upto - own;
  for (unsigned w = 0; w < t / 32; ++w) begin += warps[w];
  begin_of[t] = begin;
  target[t] = counts[t * gridDim.x + blockIdx.x] - begin;
  __syncthreads();
#pragma unroll
  for (unsigned j = 0; j < kEach; ++j) {
    if (j * kThreads + t < size) ordered[begin_of[key[j] >> shift & 255] + rank[j]] = key[j];
  }
  __syncthreads();
  for (unsigned i = t; i < size; i += kThreads) {
    out[target[ordered[i] >> shift & 255] + i] = ordered[i];
  }
}
