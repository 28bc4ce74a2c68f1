// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: divergent_barrier line=15
// A barrier in the loop, although threads near the end of the array run one iteration fewer.
constexpr unsigned kBins = 256;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomicAdd(&counts[in[i]], 1u);
    i += gridDim.x * blockDim.x;
    __syncthreads();
  }
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
