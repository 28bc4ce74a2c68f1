// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=8
// says: The exercise launches transpose_coarsened<1>, but the template has a type as its first
//   parameter: keep template <int Factor>.
constexpr int kTile = 32;

template <typename T, int Factor>
__global__ void transpose_coarsened(T* out, const T* in, int width, int height) {
  __shared__ T tile[kTile][kTile + 1];
  for (int c = 0; c < Factor; ++c) {
    const int first = (blockIdx.x * Factor + c) * kTile;
    const int column = first + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    const int oc = blockIdx.y * kTile + threadIdx.x, orow = first + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
