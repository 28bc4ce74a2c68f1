// SPDX-License-Identifier: Apache-2.0
// cause: unwritten|wrong_index line=17
// says: All Factor sums go to partial[blockIdx.x]: the others are never written.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  for (int f = 0; f < Factor; ++f) {
    unsigned idx = (blockIdx.x * Factor + f) * kPart + threadIdx.x;
    s[threadIdx.x] = idx < n ? in[idx] : 0;
    __syncthreads();
    for (unsigned d = kPart / 2; d >= 1; d /= 2) {
      if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0]; 
    __syncthreads();
  }
}
