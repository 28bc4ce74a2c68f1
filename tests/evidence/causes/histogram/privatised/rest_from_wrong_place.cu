// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=19
// says: The bytes behind the last group begin at n / 16 * 16, not at n / 16.
constexpr unsigned kBins = 256;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;  // blockDim.x is kBins
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 0xff], 1u);
  }
  const unsigned rest = n / 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest]], 1u);
  __syncthreads();

  if (counts[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
