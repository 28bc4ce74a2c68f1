// SPDX-License-Identifier: Apache-2.0
// Full tiles skip the bounds checks. Constants and divisions are macros.
#define T 32
#define R 8
#define UMOD(n, g, rec) ((g) == 1 ? 0 : (n)-__umulhi((n), (rec)) * (g))
#define UDIV(n, g, rec) ((g) == 1 ? (n) : __umulhi((n), (rec)))

__global__ void transpose(double *odata, const double *idata, int width, int height,
                          unsigned int rgx, unsigned int rgy) {
  __shared__ double tile[T][T + 1];
  unsigned int bid = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned int by = UMOD(bid, gridDim.y, rgy);
  unsigned int sum = UDIV(bid, gridDim.y, rgy) + by;
  unsigned int bx = UMOD(sum, gridDim.x, rgx);
  int x = bx * T + threadIdx.x, y = by * T + threadIdx.y;
  int tx = by * T + threadIdx.x, ty = bx * T + threadIdx.y;
  if ((bx + 1) * T <= width && (by + 1) * T <= height) {
#pragma unroll
    for (int i = 0; i < T; i += R) tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * width + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i += R)
      odata[(ty + i) * height + tx] = tile[threadIdx.x][threadIdx.y + i];
  } else {
    for (int i = 0; i < T; i += R)
      if (x < width && y + i < height)
        tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * width + x];
    __syncthreads();
    for (int i = 0; i < T; i += R)
      if (tx < height && ty + i < width)
        odata[(ty + i) * height + tx] = tile[threadIdx.x][threadIdx.y + i];
  }
}
