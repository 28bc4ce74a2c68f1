// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=6
// says: The kernel is between #ifdef USE_PADDING and #endif, and nothing defines USE_PADDING, so
//   it is not compiled.
constexpr int kTile = 32;
#ifdef USE_PADDING
constexpr int kPad = 1;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + kPad];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = blockIdx.y * kTile + threadIdx.x, orow = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
#endif
