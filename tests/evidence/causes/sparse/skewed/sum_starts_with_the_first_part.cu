// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=37
// says: The total starts with sums[0] and the loop adds sums[0] again; start with 0 or add from warp 1 on.
#define WARPS 8
#define LONG_ROW 1024u

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[WARPS];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

  auto reduce = [](float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
  };
  auto walk = [&](unsigned i, unsigned end, unsigned by) {
    float v = 0;
#pragma unroll 4
    for (; i < end; i += by) v += value[i] * x[column[i]];
    return reduce(v);
  };

  for (unsigned w = 0; w < WARPS; ++w) {
    const unsigned row = blockIdx.x * WARPS + w;
    if (row >= rows) return;
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    if (end - begin < LONG_ROW) {
      if (w != warp) continue;
      const float v = walk(begin + lane, end, 32);
      if (lane == 0) y[row] = v;
      continue;
    }
    const float v = walk(begin + threadIdx.x, end, 256);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
      float total = sums[0];
      for (int k = 0; k < WARPS; ++k) total += sums[k];
      y[row] = total;
    }
    __syncthreads();
  }
}
