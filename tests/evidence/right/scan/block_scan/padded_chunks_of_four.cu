// SPDX-License-Identifier: Apache-2.0
// Elements pass through shared memory, where each thread scans its own four. A word of padding per
// 32 avoids bank conflicts. Global loads and stores are coalesced.
#define PAD(i) ((i) + (i) / 32)
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned element[PAD(1024)];
  __shared__ unsigned warp_sum[8];
  const unsigned t = threadIdx.x, base = blockIdx.x * 1024;
  for (unsigned i = t; i < 1024; i += 256) element[PAD(i)] = base + i < n ? in[base + i] : 0;
  __syncthreads();

  unsigned mine[4], sum = 0;
  for (unsigned j = 0; j < 4; j++) mine[j] = sum += element[PAD(4 * t + j)];

  unsigned scan = sum;
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned other = __shfl_up_sync(~0u, scan, d);
    if (t % 32 >= d) scan += other;
  }
  if (t % 32 == 31) warp_sum[t / 32] = scan;
  __syncthreads();
  unsigned before = scan - sum;
  for (unsigned w = 0; w < t / 32; w++) before += warp_sum[w];

  for (unsigned j = 0; j < 4; j++) element[PAD(4 * t + j)] = before + mine[j];
  if (t == 255) totals[blockIdx.x] = before + sum;
  __syncthreads();
  for (unsigned i = t; i < 1024 && base + i < n; i += 256) out[base + i] = element[PAD(i)];
}
