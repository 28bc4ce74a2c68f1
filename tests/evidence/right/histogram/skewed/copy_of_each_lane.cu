// SPDX-License-Identifier: Apache-2.0
// Each lane has its own copy of the bins, so no two lanes of a warp share a counter or a bank.
// Threads load 16 bytes at a time; bytes past the end add 0.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256][32];
  const unsigned lane = threadIdx.x & 31;
  for (unsigned i = threadIdx.x; i < 256 * 32; i += blockDim.x) counts[i / 32][i % 32] = 0;
  __syncthreads();
  for (unsigned i = 16 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 16 * gridDim.x * 256) {
    unsigned words[4] = {};
    if (i + 16 <= n) {
      const uint4 group = *reinterpret_cast<const uint4*>(in + i);
      words[0] = group.x, words[1] = group.y, words[2] = group.z, words[3] = group.w;
    } else {
      for (unsigned k = 0; i + k < n; ++k) words[k / 4] |= unsigned(in[i + k]) << k % 4 * 8;
    }
    for (unsigned k = 0; k < 16; ++k) {
      atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 255][lane], i + k < n);
    }
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += counts[threadIdx.x][(k + lane) & 31];
  if (sum != 0) atomicAdd(&bins[threadIdx.x], sum);
}
