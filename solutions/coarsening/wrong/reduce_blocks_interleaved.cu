// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts
// cause: bank_conflicts line=22
// Interleaved addressing: the words of neighbouring threads are a growing power of two apart, so
// the lanes of a warp share banks.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];

#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    sums[c * kPart + threadIdx.x] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  for (unsigned stride = 1; stride < kPart; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i + stride < kPart) {
#pragma unroll
      for (int c = 0; c < Factor; ++c) sums[c * kPart + i] += sums[c * kPart + i + stride];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = sums[c * kPart];
  }
}
