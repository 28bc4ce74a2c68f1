// SPDX-License-Identifier: Apache-2.0
// cause: local_memory line=18
// says: Each thread counts in an array of its own, which is in local memory because its index is
//   only known at run time: count in shared memory.
// never: atomic on global memory
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned short mine[256];
  for (int v = 0; v < 256; ++v) mine[v] = 0;
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  const uint4* groups = (const uint4*)in;
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 w = groups[g];
    const unsigned words[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) ++mine[words[k / 4] >> k % 4 * 8 & 255];
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) ++mine[in[rest]];
  for (int v = 0; v < 256; ++v)
    if (mine[v]) atomicAdd(&counts[v], (unsigned)mine[v]);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
