// SPDX-License-Identifier: Apache-2.0
// cause: weak_wait line=37
// says: The warps wait for their turn in a plain variable, which the compiler loads once, so the
//   loop never ends: use barriers, or volatile and fences.
// never: between the if
__device__ unsigned warp_scan(unsigned v) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += left;
  }
  return v;
}

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned of_warps[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned own[4], sum = 0;
  for (int k = 0; k < 4; ++k) own[k] = sum += first + k < n ? in[first + k] : 0;
  const unsigned inclusive = warp_scan(sum);
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  unsigned before = inclusive - sum;
  for (unsigned w = 0; w < warp; ++w) before += of_warps[w];
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = before + own[k];
  if (threadIdx.x == 255) totals[blockIdx.x] = before + sum;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned turn, carry;
  if (threadIdx.x == 0) turn = 0, carry = 0;
  __syncthreads();
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned b = threadIdx.x, mine = warp; b < (blocks + 31) / 32 * 32; b += 1024, mine += 32) {
    const unsigned sum = warp_scan(b < blocks ? totals[b] : 0);
    while (turn != mine) {
    }
    if (b < blocks) totals[b] = carry + sum;
    __syncwarp();
    if (lane == 31) {
      carry += sum;
      turn = mine + 1;
    }
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  for (unsigned i = blockIdx.x * 1024 + threadIdx.x; i < min(n, blockIdx.x * 1024 + 1024); i += 256)
    out[i] += totals[blockIdx.x - 1];
}
