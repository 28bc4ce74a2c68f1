// SPDX-License-Identifier: Apache-2.0
// Shared memory atomics, and a host check that sorts pairs.
// left out: Bin, check
#include <algorithm>
#include <utility>
#include <vector>
using Bin = std::pair<int, std::vector<unsigned>>;
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
bool check(std::vector<Bin> bins) {
  std::sort(bins.begin(), bins.end(), [](const Bin& a, const Bin& b) { return a.first < b.first; });
  return !bins.empty() && bins.front().second.size() > 0;
}
