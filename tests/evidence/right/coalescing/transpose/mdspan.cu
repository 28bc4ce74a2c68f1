// SPDX-License-Identifier: Apache-2.0
// Both matrices are cuda::std::mdspan; the output has swapped extents.
#include <cuda/std/mdspan>

__global__ void transpose(float* out, const float* in, int width, int height) {
  using Extents = cuda::std::dextents<int, 2>;
  __shared__ float tile[32][33];
  const cuda::std::mdspan<const float, Extents> a(in, height, width);
  const cuda::std::mdspan<float, Extents> b(out, width, height);
  const int top = blockIdx.y * 32, left = blockIdx.x * 32, x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8)
    if (top + y < a.extent(0) && left + x < a.extent(1)) tile[y][x] = a(top + y, left + x);
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    if (left + y < b.extent(0) && top + x < b.extent(1)) b(left + y, top + x) = tile[x][y];
}
