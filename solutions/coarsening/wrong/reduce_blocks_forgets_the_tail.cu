// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=tail_4
// cause: unwritten line=29
// Does not write the partial sums of parts without elements, which must be 0.
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
    for (int c = 0; c < Factor; ++c) {
      const unsigned p = blockIdx.x * Factor + c;
      if (p * kPart < n) partial[p] = sums[c * kPart];
    }
  }
}
