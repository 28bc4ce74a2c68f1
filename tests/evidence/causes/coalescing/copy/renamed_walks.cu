// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|uncoalesced_store line=13
// says: Each thread walks down a column of the tile with its own pointer, lanes of a warp in
//   different rows: let threadIdx.x choose the column.
// never: barrier
__global__ void copy(float* dst, const float* src, int w, int h) {
  const int r = blockIdx.y * 32 + threadIdx.x;
  int c = blockIdx.x * 32 + threadIdx.y;
  if (r >= h) return;
  const float* from = src + (size_t)r * w;
  float* to = dst + (size_t)r * w;
  for (int step = 0; step < 4; ++step, c += 8) {
    if (c < w) to[c] = from[c]; 
  }
}
