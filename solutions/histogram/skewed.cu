// SPDX-License-Identifier: Apache-2.0
// Exercise histogram/skewed, solved: eight copies of the bins, side by side.
//
// With 90 % equal bytes, about 29 lanes of a warp add to one counter. Shared memory serializes
// atomics on one word, so a request costs 29 wavefronts. Here lane l uses copy l mod 8, so at most
// four lanes add to the same word. The copies of a counter are neighbours, so they are in different
// banks. The addend is the constant 1 and the result is unused, so recent cards need even fewer
// wavefronts: they count all lanes of a word at once.

constexpr unsigned kBins = 256, kCopies = 8;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[kBins * kCopies];
  for (unsigned k = 0; k < kCopies; ++k) counts[k * kBins + threadIdx.x] = 0;
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const unsigned copy = threadIdx.x % kCopies;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      atomicAdd(&counts[value * kCopies + copy], 1u);
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest] * kCopies + copy], 1u);
  __syncthreads();

  // Each group of four lanes starts with another copy, so a warp's 32 words are in 32 banks.
  unsigned sum = 0;
  for (unsigned k = 0; k < kCopies; ++k) {
    sum += counts[threadIdx.x * kCopies + (k + threadIdx.x / 4) % kCopies];
  }
  if (sum != 0) atomicAdd(&bins[threadIdx.x], sum);
}
