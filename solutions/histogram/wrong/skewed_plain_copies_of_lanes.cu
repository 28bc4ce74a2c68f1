// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_atomic line=18
// One copy of the bins per lane and no atomics, but the eight warps share each copy.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256][32];
  for (unsigned i = threadIdx.x; i < 256 * 32; i += 256) counts[i / 32][i % 32] = 0;
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      ++counts[value][threadIdx.x % 32];
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) ++counts[in[rest]][threadIdx.x % 32];
  __syncthreads();

  unsigned sum = 0;
  for (unsigned c = 0; c < 32; ++c) sum += counts[threadIdx.x][c];
  atomicAdd(&bins[threadIdx.x], sum);
}
