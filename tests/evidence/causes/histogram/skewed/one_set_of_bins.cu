// SPDX-License-Identifier: Apache-2.0
// cause: atomic_contention line=7
// says: About 29 of 32 lanes add to the same counter, and each costs a wavefront: use several
//   copies of the bins, or add up equal bytes first.
// never: Count how often each element is loaded
__device__ void count(unsigned* counts, unsigned word, unsigned bytes) {
  for (unsigned k = 0; k < bytes; ++k, word >>= 8) atomicAdd(counts + (word & 255), bytes);
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  const uint4* groups = (const uint4*)in;
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 w = groups[g];
    count(counts, w.x, 4);
    count(counts, w.y, 4);
    count(counts, w.z, 4);
    count(counts, w.w, 4);
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest]], 4);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x] / 4);
}
