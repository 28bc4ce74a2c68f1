// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=16
// says: Only the first warp reaches the barrier in its branch.
__global__ void spmv(float* y, const unsigned* begin, const unsigned* col, const float* val,
                     const float* x, unsigned m) {
  __shared__ float part[8];
  const unsigned w = threadIdx.x >> 5, lane = threadIdx.x & 31;
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned r = blockIdx.x * 8 + k;
    if (r >= m) break;
    float s = 0;
    for (unsigned i = begin[r] + threadIdx.x; i < begin[r + 1]; i += 256) s += val[i] * x[col[i]];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
    if (lane == 0) part[w] = s;
    if (w == 0) {
      __syncthreads(); 
      if (lane == 0) {
        float t = 0;
        for (int q = 0; q < 8; ++q) t += part[q];
        y[r] = t;
      }
    }
    __syncthreads();
  }
}
