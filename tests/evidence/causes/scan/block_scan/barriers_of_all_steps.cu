// SPDX-License-Identifier: Apache-2.0
// cause: barriers|issue_bound line=17
// says: Four times 256 elements are scanned in eight steps with three barriers each, at which
//   all warps wait: scan within warps by shuffles, with one barrier in all.
// never: Neighbouring lanes must load
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[256];
  const unsigned t = threadIdx.x;
  unsigned carry = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const unsigned i = blockIdx.x * 1024 + part * 256 + t;
    unsigned own = i < n ? in[i] : 0;
    sums[t] = own;
    __syncthreads();
    for (unsigned step = 1; step < 256; step *= 2) {
      const unsigned left = t >= step ? sums[t - step] : 0;
      __syncthreads();
      own += left;
      __syncthreads();
      sums[t] = own;
      __syncthreads();
    }
    if (i < n) out[i] = carry + own;
    carry += sums[255];
    __syncthreads();
  }
  if (t == 0) totals[blockIdx.x] = carry;
}
