// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=parts_4
// cause: unwritten line=29
// Adds up the Factor parts of a block, so only one of its Factor partial sums is written.
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
    float sum = 0;
    for (int c = 0; c < Factor; ++c) sum += sums[c * kPart];
    partial[blockIdx.x * Factor] = sum;
  }
}
