// SPDX-License-Identifier: Apache-2.0
// cause: weak_wait|missing_barrier line=32
// says: The warp that comes last reads the parts of the others, but the counter orders nothing
//   before it: __threadfence_block is needed between the part and the counter, and behind the
//   counter.
// never: split
constexpr unsigned kLong = 1024;

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float parts[8][8];
  __shared__ unsigned arrived[8];
  if (threadIdx.x < 8) arrived[threadIdx.x] = 0;
  __syncthreads();
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * 8;
  for (unsigned r = 0; r < 8 && first + r < rows; ++r) {
    const unsigned row = first + r, begin = row_begin[row], end = row_begin[row + 1];
    const bool is_long = end - begin >= kLong;
    if (!is_long && r != warp) continue;
    float sum = 0;
    for (unsigned i = begin + (is_long ? threadIdx.x : lane); i < end; i += is_long ? 256 : 32)
      sum += value[i] * x[column[i]];
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane != 0) continue;
    if (!is_long) {
      y[row] = sum;
      continue;
    }
    parts[r][warp] = sum;
    if (atomicAdd(&arrived[r], 1u) == 7) {
      float total = 0;
      for (int w = 0; w < 8; ++w) total += parts[r][w];
      y[row] = total;
    }
  }
}
