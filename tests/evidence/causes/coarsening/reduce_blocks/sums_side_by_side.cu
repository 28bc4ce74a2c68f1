// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=25
// says: The Factor sums of a thread are neighbours in shared memory, so lanes are Factor words
//   apart and share banks: store tree c at c * 512.
// never: first threads be the active
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;
  float value[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kPart + t;
    value[c] = i < n ? in[i] : 0.0f;
  }
  float* mine = sums + t * Factor;
#pragma unroll
  for (int c = 0; c < Factor; ++c) mine[c] = value[c];
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    if (t < half) {
#pragma unroll
      for (int c = 0; c < Factor; ++c) mine[c] += mine[c + half * Factor];
    }
    __syncthreads();
  }
  if (t == 0) {
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = sums[c];
  }
}
