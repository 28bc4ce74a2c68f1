// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|out_of_bounds|missing_guard line=8
// says: The end of row r is begin[r + 2].
__global__ void spmv(float* y, const unsigned* begin, const unsigned* col, const float* val,
                     const float* x, unsigned m) {
  const unsigned r = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (r >= m) return;
  const unsigned stop = begin[r + 2]; 
  float s = 0;
  for (unsigned i = begin[r] + lane; i < stop; i += 32) s += val[i] * x[col[i]];
#pragma unroll
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
  if (!lane) y[r] = s;
}
