// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=26
// says: Other warps fill the elements that a thread reads from the tile; without __syncthreads() between the two
//   loops they may not be there yet.

template <int Pitch>
__device__ void take(float (&tile)[32][Pitch], const float* in, int left, int top, int width, int height) {
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int x = left + threadIdx.x, y = top + j;
    if (x < width && y < height) tile[j][threadIdx.x] = in[y * width + x];
  }
}

template <int Pitch>
__device__ void give(const float (&tile)[32][Pitch], float* out, int left, int top, int width, int height) {
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int x = left + threadIdx.x, y = top + j;
    if (x < width && y < height) out[y * width + x] = tile[threadIdx.x][j];
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int a = blockIdx.x * 32, b = blockIdx.y * 32;
  take(tile, in, a, b, width, height);
  give(tile, out, b, a, height, width);
}
