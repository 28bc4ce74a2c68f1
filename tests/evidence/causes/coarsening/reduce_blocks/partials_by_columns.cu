// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|wrong_stride line=22
// says: The partial sum c of block b belongs at b * Factor + c, not at c * gridDim.x + b.
// never: barrier
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + threadIdx.x;
    sums[c * kPart + threadIdx.x] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      for (int c = 0; c < Factor; ++c)
        sums[c * kPart + threadIdx.x] += sums[c * kPart + threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x < Factor) partial[threadIdx.x * gridDim.x + blockIdx.x] = sums[threadIdx.x * kPart];
}
