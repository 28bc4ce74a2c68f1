// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts_loads
// cause: bank_conflicts
// Each thread reads and writes its four neighbouring elements in shared memory, so lanes are four
// banks apart. A single 16-byte access would have no conflicts, but volatile keeps the compiler
// from merging the four.
constexpr unsigned kPart = 1024;

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ volatile unsigned elements[kPart];
  __shared__ unsigned warp_totals[8];
  const unsigned begin = blockIdx.x * kPart, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    elements[i] = begin + i < n ? in[begin + i] : 0;
  }
  __syncthreads();
  unsigned sums[4];
  for (unsigned k = 0; k < 4; ++k) {
    sums[k] = elements[threadIdx.x * 4 + k] + (k > 0 ? sums[k - 1] : 0);
  }
  unsigned inclusive = sums[3];
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  if (lane == 31) warp_totals[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sums[3];
  for (unsigned w = 0; w < warp; ++w) before += warp_totals[w];
  for (unsigned k = 0; k < 4; ++k) elements[threadIdx.x * 4 + k] = before + sums[k];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPart; i += blockDim.x) {
    if (begin + i < n) out[begin + i] = elements[i];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = elements[kPart - 1];
}
