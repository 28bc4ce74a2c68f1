// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_atomic line=7
// Increments global bins with ++, so concurrent additions to one bin are lost.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) bins[in[i]]++;
}
