// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=parts_4
// cause: wrong_index line=27
// Stores sum c of block b at b + c * gridDim.x instead of b * Factor + c.
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
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x + c * gridDim.x] = sums[c * kPart];
  }
}
