// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=instructions
// cause: issue_bound line=14
// Hillis-Steele scan with two buffers and one barrier per step: correct, but still ten additions
// per element.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[2][1024];
  const unsigned base = blockIdx.x * 1024;
  for (unsigned i = threadIdx.x; i < 1024; i += 256) sums[0][i] = base + i < n ? in[base + i] : 0;
  __syncthreads();
  unsigned from = 0;
  for (unsigned step = 1; step < 1024; step *= 2, from ^= 1) {
    for (unsigned i = threadIdx.x; i < 1024; i += 256) {
      sums[from ^ 1][i] = sums[from][i] + (i >= step ? sums[from][i - step] : 0);
    }
    __syncthreads();
  }
  for (unsigned i = threadIdx.x; i < 1024 && base + i < n; i += 256) out[base + i] = sums[from][i];
  if (threadIdx.x == 255) totals[blockIdx.x] = sums[from][1023];
}
