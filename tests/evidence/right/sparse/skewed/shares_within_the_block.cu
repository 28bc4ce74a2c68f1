// SPDX-License-Identifier: Apache-2.0
// Splits the elements of the block's eight rows evenly among its warps, which add their sums in
// shared memory.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[8];
  __shared__ unsigned begins[9];
  const unsigned first = blockIdx.x * 8, t = threadIdx.x;
  if (t < 8) sums[t] = 0;
  if (t < 9) begins[t] = row_begin[min(first + t, rows)];
  __syncthreads();
  const unsigned warp = t / 32, lane = t % 32, n = begins[8] - begins[0];
  const unsigned share = (n / 8 + 32) / 32 * 32;
  const unsigned from = begins[0] + warp * share, to = min(from + share, begins[8]);
  for (int r = 0; r < 8; ++r) {
    const unsigned begin = max(from, begins[r]), end = min(to, begins[r + 1]);
    if (begin >= end) continue;
    float sum = 0;
    for (unsigned i = begin + lane; i < end; i += 32) sum += value[i] * x[column[i]];
    for (int d = 1; d < 32; d <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) atomicAdd(&sums[r], sum);
  }
  __syncthreads();
  if (t < 8 && first + t < rows) y[first + t] = sums[t];
}
