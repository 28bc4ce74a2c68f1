// SPDX-License-Identifier: Apache-2.0
// The course's tile order. The loops are not unrolled, and every index is written out in place.
__device__ int modulo(unsigned n, unsigned g, unsigned reciprocal) {
  return g == 1 ? 0 : n - __umulhi(n, reciprocal) * g;
}

__global__ void transpose(double *out, const double *in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[32][33];
  unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  int by = modulo(id, gridDim.y, reciprocal_grid_y);
  unsigned diagonal = gridDim.y == 1 ? id : __umulhi(id, reciprocal_grid_y);
  int bx = modulo(diagonal + by, gridDim.x, reciprocal_grid_x);
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    if (bx * 32 + threadIdx.x < width && by * 32 + threadIdx.y + j < height)
      tile[threadIdx.y + j][threadIdx.x] =
          in[(by * 32 + threadIdx.y + j) * width + bx * 32 + threadIdx.x];
  }
  __syncthreads();
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    if (by * 32 + threadIdx.x < height && bx * 32 + threadIdx.y + j < width)
      out[(bx * 32 + threadIdx.y + j) * height + by * 32 + threadIdx.x] =
          tile[threadIdx.x][threadIdx.y + j];
  }
}
