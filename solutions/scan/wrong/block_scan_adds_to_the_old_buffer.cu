// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Double-buffered, but each step adds to what the target buffer held two steps before.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[2][1024];
  const unsigned base = blockIdx.x * 1024;
  for (unsigned i = threadIdx.x; i < 1024; i += 256) {
    sums[0][i] = sums[1][i] = base + i < n ? in[base + i] : 0;
  }
  __syncthreads();
  unsigned target = 0;
  for (unsigned step = 1; step < 1024; step *= 2) {
    target = 1 - target;
    for (unsigned i = threadIdx.x; i < 1024; i += 256) {
      if (i >= step) {
        sums[target][i] += sums[1 - target][i - step];
      } else {
        sums[target][i] = sums[1 - target][i];
      }
    }
    __syncthreads();
  }
  for (unsigned i = threadIdx.x; i < 1024 && base + i < n; i += 256)
    out[base + i] = sums[target][i];
  if (threadIdx.x == 255) totals[blockIdx.x] = sums[target][1023];
}
