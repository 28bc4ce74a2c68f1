// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: unwritten line=19
// A block loads 32 x 8 points but computes only the 30 x 6 inside, which needs a larger grid. With
// this grid, the last columns and rows are never written.
__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float tile[8][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 30 + tx - 1, y = blockIdx.y * 6 + ty - 1;
  const bool is_inside = x >= 0 && y >= 0 && x < width && y < height;
  if (is_inside) tile[ty][tx] = in[y * width + x];
  __syncthreads();
  if (!is_inside || tx == 0 || ty == 0 || tx == 31 || ty == 7) return;
  float result = tile[ty][tx];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    result =
        0.2f * (result + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
  }
  out[y * width + x] = result;
}
