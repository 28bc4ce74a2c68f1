// SPDX-License-Identifier: Apache-2.0
// Each thread first loads its words of all tiles into registers, four per tile. Then the block
// transposes one tile after the other.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  float v[Factor][4];
  const auto inside = [](int r, int c, int rows, int columns) { return r < rows && c < columns; };
#pragma unroll
  for (int f = 0; f < Factor; ++f)
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int r = blockIdx.y * 32 + threadIdx.y + 8 * k,
                c = (blockIdx.x * Factor + f) * 32 + threadIdx.x;
      v[f][k] = inside(r, c, height, width) ? in[r * width + c] : 0.0f;
    }
#pragma unroll
  for (int f = 0; f < Factor; ++f) {
#pragma unroll
    for (int k = 0; k < 4; ++k) tile[(threadIdx.y + 8 * k) * 33 + threadIdx.x] = v[f][k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int r = (blockIdx.x * Factor + f) * 32 + threadIdx.y + 8 * k,
                c = blockIdx.y * 32 + threadIdx.x;
      if (inside(r, c, width, height))
        out[r * height + c] = tile[threadIdx.x * 33 + threadIdx.y + 8 * k];
    }
    __syncthreads();
  }
}
