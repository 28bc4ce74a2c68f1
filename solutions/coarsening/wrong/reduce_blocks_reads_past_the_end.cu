// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=14
// Checks the bounds of the first element of each part, not of the thread's own element.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];

#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    sums[c * kPart + threadIdx.x] = i - threadIdx.x < n ? in[i] : 0.0f;
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
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = sums[c * kPart];
  }
}
