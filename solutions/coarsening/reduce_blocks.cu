// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_blocks, solved: Factor trees side by side, one barrier for all.
//
// A thread issues Factor coalesced loads, 512 elements apart, before it waits for the first. Then
// Factor trees of 512 leaves are reduced together, so each barrier serves Factor sums and indices
// are computed once. The price is shared memory: a block needs Factor times as much. When it runs
// out, fewer blocks fit, and fewer warps hide the latency of memory.

constexpr unsigned kPart = 512;  // elements per partial sum, and threads per block

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];  // Factor trees of kPart floats

  float value[Factor];  // registers: all loads are in flight before the first store waits
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    value[c] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int c = 0; c < Factor; ++c) sums[c * kPart + threadIdx.x] = value[c];
  __syncthreads();

#pragma unroll
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
#pragma unroll
      for (int c = 0; c < Factor; ++c) {
        sums[c * kPart + threadIdx.x] += sums[c * kPart + threadIdx.x + half];
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
#pragma unroll
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = sums[c * kPart];
  }
}
