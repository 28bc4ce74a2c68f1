// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard|wrong_index line=11
// says: Rows end one element too early.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const unsigned lane = threadIdx.x % warpSize;
  if (warp >= rows) return;
  float dot = 0;
  unsigned at = row_begin[warp] + lane;
  const unsigned last = row_begin[warp + 1] - 1;
  while (at < last) {
    dot = fmaf(value[at], x[column[at]], dot);
    at += warpSize;
  }
  for (int s = 16; s > 0; s >>= 1) dot += __shfl_down_sync(~0u, dot, s);
  if (lane == 0) y[warp] = dot;
}
