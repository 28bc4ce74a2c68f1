// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts_loads
// cause: bank_conflicts line=18
// The work-efficient tree without padding: its strides are powers of two, so lanes of a warp share
// banks.
constexpr unsigned kPart = 1024;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[kPart];
  const unsigned begin = blockIdx.x * kPart;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    sums[i] = begin + i < n ? in[begin + i] : 0;
  }
  for (unsigned step = 1; step < kPart; step *= 2) {  // up-sweep: sums of 2 * step elements
    __syncthreads();
    for (unsigned k = threadIdx.x; k < kPart / 2 / step; k += blockDim.x) {
      const unsigned i = (k + 1) * 2 * step - 1;
      sums[i] += sums[i - step];
    }
  }
  for (unsigned step = kPart / 4; step > 0; step /= 2) {  // down-sweep: to the next part's middle
    __syncthreads();
    for (unsigned k = threadIdx.x; k + 1 < kPart / 2 / step; k += blockDim.x) {
      const unsigned i = (k + 1) * 2 * step - 1;
      sums[i + step] += sums[i];
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    if (begin + i < n) out[begin + i] = sums[i];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[kPart - 1];
}
