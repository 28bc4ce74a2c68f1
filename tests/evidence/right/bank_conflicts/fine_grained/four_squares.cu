// SPDX-License-Identifier: Apache-2.0
// Splits the tile into four 16 x 16 squares with a pitch of 17 words. A warp reads one column from
// each of two squares. The squares start 16 banks apart, so the reads do not conflict.
constexpr int kSquare = 16 * 17;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float squares[2][2 * kSquare + 16];
  const int x = threadIdx.x, side = x / 16, c = x % 16;
  const int corner = blockIdx.y * 32 * width + blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += 8)
    squares[y / 16][side * kSquare + y % 16 * 17 + c] = in[corner + y * width + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[corner + y * width + x] = squares[side][y / 16 * kSquare + c * 17 + y % 16];
}
