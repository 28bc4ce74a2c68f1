// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|wrong_stride line=24
// says: Counting uses copy * 256 + value and adding up uses value * 8 + copy: both must use the
//   same layout.
// never: barrier
constexpr unsigned kCopies = 8;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256 * kCopies];
  for (unsigned k = threadIdx.x; k < 256 * kCopies; k += 256) counts[k] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  unsigned* mine = counts + threadIdx.x % kCopies * 256;
  const uint4* groups = (const uint4*)in;
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&mine[words[k / 4] >> k % 4 * 8 & 0xff], 1u);
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&mine[in[rest]], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < kCopies; ++k) sum += counts[threadIdx.x * kCopies + k];
  if (sum) atomicAdd(&bins[threadIdx.x], sum);
}
