// SPDX-License-Identifier: Apache-2.0
// Transposes eight rows of the tile at a time: eight words of a row of `out` are one sector.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float strip[8][33];
  const int lane = threadIdx.x, warp = threadIdx.y;
  for (int s = 0; s < 4; ++s) {
    const int row0 = blockIdx.y * 32 + s * 8, column0 = blockIdx.x * 32;
    if (row0 + warp < height && column0 + lane < width)
      strip[warp][lane] = in[(row0 + warp) * width + column0 + lane];
    __syncthreads();
    const int r = lane % 8, c = warp * 4 + lane / 8;
    if (row0 + r < height && column0 + c < width)
      out[(column0 + c) * height + row0 + r] = strip[r][c];
    __syncthreads();
  }
}
