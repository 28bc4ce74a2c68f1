// SPDX-License-Identifier: Apache-2.0
// tries: Counts only the most frequent value, in a register, and spreads the other bytes evenly
//   over all bins.
// stopped by: All bins are compared with a reference (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  unsigned votes[8] = {};  // one counter per bit of the value
  const unsigned most = min(n, 64u);
  for (unsigned i = 0; i < most; ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) votes[bit] += in[i] >> bit & 1;
  }
  unsigned common = 0;
  for (unsigned bit = 0; bit < 8; ++bit) common |= (2 * votes[bit] > most) << bit;
  unsigned own = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    own += in[i] == common;
  }
  own = __reduce_add_sync(0xffffffff, own);
  if (threadIdx.x % 32 == 0) atomicAdd(&bins[common], own);
  if (blockIdx.x == 0) atomicAdd(&bins[threadIdx.x], n / 10 / 256);
}
