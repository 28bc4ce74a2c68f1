// SPDX-License-Identifier: Apache-2.0
// A function template has one instance per order; the kernel selects one of them.
template <bool Diagonal>
__device__ void go(double* out, const double* in, int width, int height, unsigned rx, unsigned ry,
                   double (&tile)[32][33]) {
  int bx = blockIdx.x, by = blockIdx.y;
  if (Diagonal) {
    const unsigned long long id = blockIdx.x + gridDim.x * blockIdx.y;
    const unsigned q = ry ? unsigned(id * ry >> 32) : unsigned(id);
    by = id - q * gridDim.y;
    const unsigned long long sum = q + by;
    bx = rx ? sum - (sum * rx >> 32) * gridDim.x : 0;
  }
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  if ((width + 1) % 128 && (height + 1) % 128)
    go<true>(out, in, width, height, rx, ry, tile);
  else
    go<false>(out, in, width, height, rx, ry, tile);
}
