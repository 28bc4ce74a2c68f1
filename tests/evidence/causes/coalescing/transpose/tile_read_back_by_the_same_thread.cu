// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store line=16
// says: Each thread takes back its own element of the tile, so the lanes of a warp still store down a column of
//   `out`; let them read a column of the tile and store a row.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float cache[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y0 = blockIdx.y * 32;

  for (int dy = threadIdx.y; dy < 32; dy += 8) {
    if (x < width && y0 + dy < height) cache[dy][threadIdx.x] = in[(y0 + dy) * width + x];
  }
  __syncthreads();
  float* column = out + static_cast<long long>(x) * height + y0;
  for (int dy = threadIdx.y; dy < 32; dy += 8) {
    if (x < width && y0 + dy < height) column[dy] = cache[dy][threadIdx.x];
  }
}
