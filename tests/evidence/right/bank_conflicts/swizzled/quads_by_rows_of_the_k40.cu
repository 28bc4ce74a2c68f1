// SPDX-License-Identifier: Apache-2.0
// Like squares_of_quads, but free of conflicts on both cards. Tile rows are permuted so that lanes
// that share a bank access the same row of 256 bytes. A K40 serves such lanes together.
__device__ int row_of(int r) { return r % 4 * 8 + r / 4; }

__device__ void with_words(float* tile, float* out, const float* in, int width, int height) {
  const int x = threadIdx.x;
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    if (r < height && c < width) tile[y * 32 + (x ^ y)] = in[r * width + c];
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = blockIdx.x * 32 + y, c = blockIdx.y * 32 + x;
    if (r < width && c < height) out[r * height + c] = tile[x * 32 + (y ^ x)];
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float4 tile[32][8];
  if ((width | height) % 4 != 0) {
    with_words(&tile[0][0].x, out, in, width, height);
    return;
  }
  const int t = threadIdx.y * 32 + threadIdx.x, x = t % 8, y = t / 8;
  if (t < 64) {
    const int r = blockIdx.y * 32 + 4 * y, c = blockIdx.x * 32 + 4 * x;
    float4 v[4] = {};
    if (r < height && c < width)
      for (int k = 0; k < 4; ++k) v[k] = *reinterpret_cast<const float4*>(in + (r + k) * width + c);
    tile[row_of(4 * x + 0)][y ^ x] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    tile[row_of(4 * x + 1)][y ^ x] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    tile[row_of(4 * x + 2)][y ^ x] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    tile[row_of(4 * x + 3)][y ^ x] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
  }
  __syncthreads();
  // A warp reads four consecutive rows of the tile, which are rows of `out` that are 4 apart.
  const int square = y % 8, row = square * 4 + y / 8;
  const int r = blockIdx.x * 32 + row, c = blockIdx.y * 32 + 4 * x;
  if (r < width && c < height)
    *reinterpret_cast<float4*>(out + r * height + c) = tile[row_of(row)][x ^ square];
}
