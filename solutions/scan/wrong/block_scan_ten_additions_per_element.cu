// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=instructions
// cause: issue_bound line=17
// Hillis-Steele scan: log2(1024) = 10 additions per element.
constexpr unsigned kPart = 1024;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[2][kPart];
  const unsigned begin = blockIdx.x * kPart;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    sums[0][i] = begin + i < n ? in[begin + i] : 0;
  }
  unsigned now = 0;
  for (unsigned step = 1; step < kPart; step *= 2) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
      sums[1 - now][i] = sums[now][i] + (i >= step ? sums[now][i - step] : 0);
    }
    now = 1 - now;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    if (begin + i < n) out[begin + i] = sums[now][i];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[now][kPart - 1];
}
