// SPDX-License-Identifier: Apache-2.0
// cause: weak_wait line=15
// says: The threads wait for a plain flag, which the compiler loads once: use __syncthreads, or
//   at least a volatile or atomic flag.
// never: between the if
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int v = 0; v < 256; ++v) counts[v] = 0;
    ready = 1;
  }
  while (ready == 0) {
  }
  const uint4* groups = (const uint4*)in;
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  for (unsigned g = thread; g < n / 16; g += gridDim.x * 256) {
    const uint4 w = groups[g];
    const unsigned words[4] = {w.x, w.y, w.z, w.w};
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 255], 1u);
  }
  if (n / 16 * 16 + thread < n) atomicAdd(&counts[in[n / 16 * 16 + thread]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
