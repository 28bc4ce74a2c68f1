// SPDX-License-Identifier: Apache-2.0
// tries: Passes each word through a tile for show; scattered global stores do the transpose.
// stopped by: The points for conflicts require the guards on everything that moves data
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 2 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ volatile float tile[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * 32 + threadIdx.y;
  for (int row = first; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) {
      tile[threadIdx.y][threadIdx.x] = in[row * width + column];
      out[column * height + row] = tile[threadIdx.y][threadIdx.x];
    }
  }
}
