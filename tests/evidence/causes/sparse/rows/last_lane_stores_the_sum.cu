// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=23
// says: __shfl_down_sync gathers the sum in lane 0, but lane 31 stores; let lane 0 store.
__device__ float warp_sum(float v) {
#pragma unroll
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = thread / warpSize, lane = thread % warpSize;
  if (row >= rows) return;
  const unsigned from = row_begin[row], to = row_begin[row + 1];
  float dot = 0;
  unsigned i = from + lane;
  while (i < to) {
    dot = fmaf(value[i], x[column[i]], dot);
    i += warpSize;
  }
  dot = warp_sum(dot);
  if (lane == warpSize - 1) y[row] = dot;
}
