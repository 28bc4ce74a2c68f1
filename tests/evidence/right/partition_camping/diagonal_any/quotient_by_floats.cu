// SPDX-License-Identifier: Apache-2.0
// Computes the quotient by float division and corrects it if it is off by one.
__device__ int divide(int n, int d) {
  int q = static_cast<int>(__fdividef(n + 0.5f, d));
  if (q * d > n) --q;
  if ((q + 1) * d <= n) ++q;
  return q;
}

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32][33];
  const int gx = gridDim.x, gy = gridDim.y;
  const int id = blockIdx.x + gx * blockIdx.y;
  const int q = divide(id, gy), by = id - q * gy;
  const int bx = (q + by) - divide(q + by, gx) * gx;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
#pragma unroll 1
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
#pragma unroll 1
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
