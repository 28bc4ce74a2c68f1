// SPDX-License-Identifier: Apache-2.0
// Reduces by rotation: each lane adds the sum of lane (lane + offset) % 32, so every lane ends with
// the sum of all 32. Loads use __ldg.
__inline__ __device__ float warp_reduce_sum(float val, int lane) {
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) {
    val += __shfl_sync(0xFFFFFFFF, val, lane + offset);
  }
  return val;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const int lane = threadIdx.x & 31;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (warp >= rows) return;
  const unsigned start = __ldg(row_begin + warp), end = __ldg(row_begin + warp + 1);
  float dot = 0.0f;
  for (unsigned j = start + lane; j < end; j += warpSize) {
    dot += __ldg(value + j) * __ldg(x + __ldg(column + j));
  }
  dot = warp_reduce_sum(dot, lane);
  if (lane == 0) y[warp] = dot;
}
