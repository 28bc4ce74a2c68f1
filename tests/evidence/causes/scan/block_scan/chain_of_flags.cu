// SPDX-License-Identifier: Apache-2.0
// cause: weak_wait line=22
// says: A warp waits for a volatile flag, but nothing orders the total before the flag: a
//   __threadfence_block is needed on both sides, or __syncthreads.
// never: split
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[8];
  __shared__ volatile int done[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < 8) done[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned own[4], sum = 0;
  for (int k = 0; k < 4; ++k) own[k] = sum += first + k < n ? in[first + k] : 0;
  unsigned inclusive = sum;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  unsigned before = 0;
  if (warp > 0) {
    while (done[warp - 1] == 0) {
    }
    before = sums[warp - 1];
  }
  if (lane == 31) {
    sums[warp] = before + inclusive;
    done[warp] = 1;
  }
  before += inclusive - sum;
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = before + own[k];
  if (threadIdx.x == 255) totals[blockIdx.x] = before + sum;
}
