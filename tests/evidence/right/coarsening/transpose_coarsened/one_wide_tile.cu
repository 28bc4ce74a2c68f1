// SPDX-License-Identifier: Apache-2.0
// One tile of 32 rows and 32 * Factor columns for factors up to 4, else pieces of 32 x 128.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  constexpr int kPiece = Factor < 4 ? Factor : 4;
  __shared__ float tile[32][32 * kPiece + 1];
  for (int piece = 0; piece < Factor / kPiece; ++piece) {
    const int left = (blockIdx.x * Factor + piece * kPiece) * 32, top = blockIdx.y * 32;
    if (piece > 0) __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
      for (int x = threadIdx.x; x < 32 * kPiece; x += 32)
        if (top + y < height && left + x < width) tile[y][x] = in[(top + y) * width + left + x];
    __syncthreads();
    for (int x = threadIdx.y; x < 32 * kPiece; x += 8)
      if (top + threadIdx.x < height && left + x < width)
        out[(left + x) * height + top + threadIdx.x] = tile[threadIdx.x][x];
  }
}
