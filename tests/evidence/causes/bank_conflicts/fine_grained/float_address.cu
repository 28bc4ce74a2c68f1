// SPDX-License-Identifier: Apache-2.0
// cause: float_index line=13
// says: The index is a float: above 2^24 it cannot hold odd numbers, so elements of large
//   matrices are read from wrong places.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const float column = blockIdx.x * kTile + threadIdx.x;
  const float row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[static_cast<unsigned>((row + j) * width + column)];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += 8) {
    const unsigned r = blockIdx.y * kTile + threadIdx.y + j, c = blockIdx.x * kTile + threadIdx.x;
    out[r * width + c] = tile[threadIdx.x][threadIdx.y + j];
  }
}
