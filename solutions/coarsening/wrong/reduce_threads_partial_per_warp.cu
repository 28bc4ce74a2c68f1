// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: out_of_bounds line=25
// Writes one partial sum per warp, but the buffer has only one per block.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ float sums[];

  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (unsigned i = 1; i < 32; ++i) sums[threadIdx.x] += sums[threadIdx.x + i];
  }
  const unsigned warps = kThreads / 32;
  if (threadIdx.x % 32 == 0) {
    partial[blockIdx.x * warps + threadIdx.x / 32] = sums[threadIdx.x];
  }
}
