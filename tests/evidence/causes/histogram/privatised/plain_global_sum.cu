// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=19
// says: All blocks add to the same bins with a plain +=, so counts of blocks get lost: use
//   atomicAdd.
// never: __syncthreads;split
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  const unsigned t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  const uint4* groups = (const uint4*)in;
  for (unsigned g = blockIdx.x * 256 + t; g < n / 16; g += gridDim.x * 256) {
    const uint4 w = groups[g];
    const unsigned words[4] = {w.x, w.y, w.z, w.w};
    for (unsigned k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 255], 1u);
  }
  if (blockIdx.x == 0 && t < n % 16) atomicAdd(&counts[in[n / 16 * 16 + t]], 1u);
  __syncthreads();
  bins[t] += counts[t];
}
