// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=19
// says: Thread t reads the words 4 t to 4 t + 3 of shared memory one by one, so four lanes are
//   in each bank: read a uint4, or pad.
// never: Neighbouring lanes must load
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned words[1024], of_warps[8];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned first = blockIdx.x * 1024;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = first + k * 256 + t;
    words[k * 256 + t] = i < n ? in[i] : 0;
  }
  __syncthreads();
  unsigned own[4], sum = 0;
  volatile unsigned* mine = words + 4 * t;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) own[k] = sum += mine[k];
  unsigned inclusive = sum;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, inclusive, step);
    if (lane >= step) inclusive += left;
  }
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sum;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) mine[k] = before + own[k];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = first + k * 256 + t;
    if (i < n) out[i] = words[k * 256 + t];
  }
  if (t == 255) totals[blockIdx.x] = words[1023];
}
