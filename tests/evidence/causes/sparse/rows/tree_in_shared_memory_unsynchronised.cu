// SPDX-License-Identifier: Apache-2.0
// cause: missing_syncwarp line=15
// says: The lanes of a warp do not run in step since Volta, so a tree in shared memory needs __syncwarp() between
//   its steps.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float part[256];
  const unsigned t = threadIdx.x, lane = t & 31, row = blockIdx.x * 8 + (t >> 5);
  if (row >= rows) return;
  float s = 0.f;
  for (unsigned e = row_begin[row] + lane, end = row_begin[row + 1]; e < end; e += 32)
    s += value[e] * x[column[e]];
  part[t] = s;
  for (unsigned d = 16; d > 0; d >>= 1) {
    if (lane < d) part[t] += part[t + d];
  }
  if (lane == 0) y[row] = part[t];
}
