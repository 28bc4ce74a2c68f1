// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=26
// says: Threads read rows of the tile that other warps store, so put a __syncthreads() between filling the tile
//   and using it.
struct Tile {
  float cell[10][34];
};

__device__ void fill(Tile& t, const float* p, int x, int y, int w, int h) {
  const int c = threadIdx.x + 1, r = threadIdx.y + 1;
  t.cell[r][c] = *p;
  if (r == 1 && y > 0) t.cell[0][c] = p[-w];
  if (r == 8 && y + 1 < h) t.cell[9][c] = p[w];
  if (c == 1 && x > 0) t.cell[r][0] = p[-1];
  if (c == 32 && x + 1 < w) t.cell[r][33] = p[1];
}

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ Tile t;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) fill(t, in + y * width + x, x, y, width, height);
  if (x >= width || y >= height) return;
  const int c = threadIdx.x + 1, r = threadIdx.y + 1;
  float v = t.cell[r][c];
  if (x != 0 && y != 0 && x != width - 1 && y != height - 1) {
    v = 0.2f * (v + t.cell[r - 1][c] + t.cell[r + 1][c] + t.cell[r][c - 1] + t.cell[r][c + 1]);
  }
  out[y * width + x] = v;
}
