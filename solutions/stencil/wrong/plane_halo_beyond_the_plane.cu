// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=13
// Loads a halo even at the edges of the plane, past the ends of `in`.
__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float tile[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const bool is_inside = x < width && y < height;
  const int i = y * width + x;
  if (is_inside) {
    tile[ty][tx] = in[i];
    if (threadIdx.x == 0) tile[ty][0] = in[i - 1];
    if (threadIdx.x == 31) tile[ty][33] = in[i + 1];
    if (threadIdx.y == 0) tile[0][tx] = in[i - width];
    if (threadIdx.y == 7) tile[9][tx] = in[i + width];
  }
  __syncthreads();
  if (!is_inside) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = tile[ty][tx];
  } else {
    out[i] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                     tile[ty + 1][tx]);
  }
}
