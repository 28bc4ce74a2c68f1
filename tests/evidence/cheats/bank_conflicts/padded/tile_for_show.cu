// SPDX-License-Identifier: Apache-2.0
// tries: Transposes without a tile and moves as many words to and from one without use.
// stopped by: The gates on conflicts count only where the guards on all that moves data hold
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/rubric.cpp).
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
