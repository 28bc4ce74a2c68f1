// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=15
// Kogge-Stone scans of 256 elements in one array with one barrier per step. A thread may read what
// its neighbour has already overwritten.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[256];
  const unsigned t = threadIdx.x;
  unsigned before = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const unsigned i = blockIdx.x * 1024 + part * 256 + t;
    sums[t] = i < n ? in[i] : 0;
    for (unsigned step = 1; step < 256; step *= 2) {
      __syncthreads();
      if (t >= step) sums[t] += sums[t - step];
    }
    __syncthreads();
    if (i < n) out[i] = before + sums[t];
    before += sums[255];
    __syncthreads();
  }
  if (t == 0) totals[blockIdx.x] = before;
}
