// SPDX-License-Identifier: Apache-2.0
// cause: unwritten|wrong_guard line=24
// says: A partial sum of no elements is 0 and must be written: the last store is only made for
//   sums that begin before n.
// never: barrier
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned first = blockIdx.x * Factor * kPart;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = first + c * kPart + threadIdx.x;
    sums[c * kPart + threadIdx.x] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    for (int c = 0; c < Factor; ++c)
      if (threadIdx.x < half) sums[c * kPart + threadIdx.x] += sums[c * kPart + threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    for (int c = 0; c < Factor; ++c)
      if (first + c * kPart < n) partial[blockIdx.x * Factor + c] = sums[c * kPart];
  }
}
