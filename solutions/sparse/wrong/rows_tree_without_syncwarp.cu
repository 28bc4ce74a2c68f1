// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_syncwarp line=15
// A tree in shared memory without __syncwarp() between its steps, as was common before Volta.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[256];
  const unsigned t = threadIdx.x, lane = t & 31, row = (blockIdx.x * blockDim.x + t) / 32;
  if (row >= rows) return;

  sums[t] = 0;
  for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) {
    sums[t] += value[i] * x[column[i]];
  }
  if (lane < 16) sums[t] += sums[t + 16];
  if (lane < 8) sums[t] += sums[t + 8];
  if (lane < 4) sums[t] += sums[t + 4];
  if (lane < 2) sums[t] += sums[t + 2];
  if (lane < 1) sums[t] += sums[t + 1];
  if (lane == 0) y[row] = sums[t];
}
