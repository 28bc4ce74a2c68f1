// SPDX-License-Identifier: Apache-2.0
// cause: issue_bound line=24
// says: All 1,024 elements take part in each of ten steps: too many instructions; add up four elements per thread first and scan 256 sums.
// reports: redundant_shared_loads line=24
// Hillis-Steele scan over the 1024 elements of the block; each thread has four of them.
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned s[1024];
  const unsigned t = threadIdx.x, base = blockIdx.x * 1024;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = base + k * 256 + t;
    s[k * 256 + t] = i < n ? in[i] : 0;
  }
  __syncthreads();
  for (unsigned d = 1; d < 1024; d *= 2) {
    unsigned add[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned i = k * 256 + t;
      add[k] = i >= d ? s[i - d] : 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) s[k * 256 + t] += add[k];
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = base + k * 256 + t;
    if (i < n) out[i] = s[k * 256 + t];
  }
  if (t == 0) totals[blockIdx.x] = s[1023];
}
