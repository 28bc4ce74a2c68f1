// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=16
// Hillis-Steele scan in one array: threads overwrite sums that others have not read yet.
constexpr unsigned kPart = 1024;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[kPart];
  const unsigned begin = blockIdx.x * kPart;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    sums[i] = begin + i < n ? in[begin + i] : 0;
  }
  for (unsigned step = 1; step < kPart; step *= 2) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
      if (i >= step) sums[i] += sums[i - step];
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    if (begin + i < n) out[begin + i] = sums[i];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[kPart - 1];
}
