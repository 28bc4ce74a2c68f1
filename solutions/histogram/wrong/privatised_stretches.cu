// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: uncoalesced_load line=13
// Private bins, but each thread reads its own stretch of the array, byte by byte.
constexpr unsigned kBins = 256;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned each = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (unsigned i = first; i < first + each && i < n; ++i) atomicAdd(&counts[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
