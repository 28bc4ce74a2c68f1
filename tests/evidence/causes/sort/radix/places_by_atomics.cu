// SPDX-License-Identifier: Apache-2.0
// cause: race line=53
// says: atomicAdd gives places in the order in which the threads arrive, so keys of one digit do not keep their order: the pass is not stable.
constexpr unsigned kPart = 4096, kThreads = 256;

__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[256];
  const unsigned t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  const unsigned end = min(n, (blockIdx.x + 1) * kPart);
  for (unsigned i = blockIdx.x * kPart + t; i < end; i += kThreads) {
    atomicAdd(&bins[(in[i] >> shift) & 255], 1u);
  }
  __syncthreads();
  counts[t * gridDim.x + blockIdx.x] = bins[t];  // all blocks of digit 0, all of digit 1, ...
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  __shared__ unsigned of_warp[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned before = 0;
  for (unsigned begin = 0; begin < total; begin += 1024) {
    const unsigned i = begin + t;
    const unsigned own = i < total ? counts[i] : 0;
    unsigned upto = own;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffffu, upto, d);
      if (lane >= d) upto += left;
    }
    if (lane == 31) of_warp[warp] = upto;
    __syncthreads();
    unsigned all = 0, earlier = 0;
    for (unsigned w = 0; w < 32; ++w) {
      if (w == warp) earlier = all;
      all += of_warp[w];
    }
    if (i < total) counts[i] = before + earlier + upto - own;
    before += all;
    __syncthreads();
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned next[256];  // where the next key of a digit goes
  const unsigned t = threadIdx.x;
  next[t] = counts[t * gridDim.x + blockIdx.x];
  __syncthreads();
  const unsigned end = min(n, (blockIdx.x + 1) * kPart);
  for (unsigned i = blockIdx.x * kPart + t; i < end; i += kThreads) {
    const unsigned key = in[i];
    const unsigned to = atomicAdd(&next[(key >> shift) & 255], 1u);
    out[to] = key;
  }
}
