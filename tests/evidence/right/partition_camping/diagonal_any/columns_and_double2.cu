// SPDX-License-Identifier: Apache-2.0
// Walks the diagonals by columns: the column is blockIdx.x, and the row follows from the sum of
// both indices. Moves double2 if the row length is even.
__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32][33];
  const int tile_x = blockIdx.x, tile_y = (blockIdx.x + blockIdx.y) % gridDim.y;
  const int t = threadIdx.y * 32 + threadIdx.x, x = t % 16 * 2;
  for (int y = t / 16; y < 32; y += 16) {
    const int r = tile_y * 32 + y, c = tile_x * 32 + x;
    if (r >= height || c >= width) continue;
    const double* p = in + r * width + c;
    if (width % 2 == 0) {
      const double2 v = *reinterpret_cast<const double2*>(p);
      tile[y][x] = v.x;
      tile[y][x + 1] = v.y;
    } else {
      tile[y][x] = p[0];
      if (c + 1 < width) tile[y][x + 1] = p[1];
    }
  }
  __syncthreads();
  for (int y = t / 16; y < 32; y += 16) {
    const int r = tile_x * 32 + y, c = tile_y * 32 + x;
    if (r >= width || c >= height) continue;
    double* p = out + r * height + c;
    if (height % 2 == 0) {
      *reinterpret_cast<double2*>(p) = make_double2(tile[x][y], tile[x + 1][y]);
    } else {
      p[0] = tile[x][y];
      if (c + 1 < height) p[1] = tile[x + 1][y];
    }
  }
}
