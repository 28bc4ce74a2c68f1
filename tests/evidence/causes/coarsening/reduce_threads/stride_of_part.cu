// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|out_of_bounds line=14
// says: The elements of a thread are kPart apart, so it adds those of other blocks: they must be
//   blockDim.x apart.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned tid = threadIdx.x;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Factor; k++) {
    const unsigned at = blockIdx.x * kPart + tid + k * kPart; 
    if (at < n) sum += in[at];
  }
  sums[tid] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half; half >>= 1) {
    if (tid < half) sums[tid] += sums[tid + half];
    __syncthreads();
  }
  if (!tid) partial[blockIdx.x] = sums[0];
}
