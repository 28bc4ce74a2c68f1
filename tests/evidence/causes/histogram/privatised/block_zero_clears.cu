// SPDX-License-Identifier: Apache-2.0
// cause: missing_grid_sync|race line=8
// says: Block 0 sets the global bins to 0 while other blocks may have added to them already, and
//   no barrier reaches across blocks: they are 0 at the start.
// never: __syncthreads
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  if (blockIdx.x == 0) bins[threadIdx.x] = 0;
  counts[threadIdx.x] = 0;
  __syncthreads();
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
