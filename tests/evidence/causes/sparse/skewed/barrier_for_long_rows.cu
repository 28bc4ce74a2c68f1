// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=18
// says: Only warps whose own row is long reach the barrier inside the if: all warps of the block
//   must reach it.
constexpr unsigned kLong = 1024;

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[8];
  __shared__ unsigned begins[8], ends[8];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 8 + warp;
  const unsigned begin = row < rows ? row_begin[row] : 0, end = row < rows ? row_begin[row + 1] : 0;
  if (lane == 0) begins[warp] = begin, ends[warp] = end;
  const bool is_long = end - begin >= kLong;
  float sum = 0;
  for (unsigned i = begin + lane; i < end && !is_long; i += 32) sum += value[i] * x[column[i]];
  if (is_long) {
    __syncthreads();
  }
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0 && row < rows && !is_long) y[row] = sum;
  __syncthreads();
  for (unsigned r = 0; r < 8; ++r) {
    if (ends[r] - begins[r] < kLong) continue;
    float part = 0;
    for (unsigned i = begins[r] + threadIdx.x; i < ends[r]; i += 256) part += value[i] * x[column[i]];
    for (unsigned step = 16; step > 0; step /= 2) part += __shfl_xor_sync(~0u, part, step);
    if (lane == 0) sums[warp] = part;
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x * 8 + r] = sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
    __syncthreads();
  }
}
