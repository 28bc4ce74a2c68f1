// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=14
// says: The loop stops at the first tile that is not 32 columns wide, so the last width % 32 columns are never
//   transposed.

constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float patch[kTile][kTile + 1];
  const int row0 = blockIdx.y * kTile;
  const int stop = min(width, int(blockIdx.x + 1) * Factor * kTile);

  for (int col0 = blockIdx.x * Factor * kTile; col0 + kTile <= stop; col0 += kTile) {
    for (int j = threadIdx.y; j < kTile; j += 8) {
      if (row0 + j < height) patch[j][threadIdx.x] = in[(row0 + j) * width + col0 + threadIdx.x];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < kTile; j += 8) {
      if (row0 + int(threadIdx.x) < height) out[(col0 + j) * height + row0 + threadIdx.x] = patch[threadIdx.x][j];
    }
    __syncthreads();
  }
}
