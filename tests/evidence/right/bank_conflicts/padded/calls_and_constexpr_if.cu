// SPDX-License-Identifier: Apache-2.0
// `if constexpr` selects load or store in a __noinline__ function template that is called twice.
template <bool In>
__device__ __noinline__ void side(float* matrix, float* tile, int rows, int columns, int top,
                                  int left) {
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int x = threadIdx.x;
    if (top + y >= rows || left + x >= columns) continue;
    if constexpr (In)
      tile[y * 33 + x] = matrix[(top + y) * columns + left + x];
    else
      matrix[(top + y) * columns + left + x] = tile[x * 33 + y];
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  side<true>(const_cast<float*>(in), tile, height, width, blockIdx.y * 32, blockIdx.x * 32);
  __syncthreads();
  side<false>(out, tile, width, height, blockIdx.x * 32, blockIdx.y * 32);
}
