// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised line=18
// Clears only the first of the eight copies of the bins.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[8][257];
  counts[0][threadIdx.x] = 0;
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      atomicAdd(&counts[threadIdx.x % 8][value], 1u);
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[0][in[rest]], 1u);
  __syncthreads();

  unsigned sum = 0;
  for (unsigned c = 0; c < 8; ++c) sum += counts[c][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}
