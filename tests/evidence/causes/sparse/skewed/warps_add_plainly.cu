// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=19
// says: All eight warps of the block add their part of a long row to y[row] with a plain +=, so
//   parts get lost: use atomicAdd.
// never: __syncthreads;split
constexpr unsigned kLong = 512;

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned row = blockIdx.x * 8; row < min(blockIdx.x * 8 + 8, rows); ++row) {
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    const bool is_long = end - begin >= kLong;
    if (!is_long && row % 8 != warp) continue;
    float sum = 0;
    for (unsigned i = begin + (is_long ? threadIdx.x : lane); i < end; i += is_long ? 256 : 32)
      sum += value[i] * x[column[i]];
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) y[row] += sum;
  }
}
