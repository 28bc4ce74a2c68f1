// SPDX-License-Identifier: Apache-2.0
// If the usual diagonal camps, moves two tiles right per tile down. Never uses the Cartesian order.
__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = ry == 0 ? id : __umulhi(id, ry);
  const unsigned by = id - q * gridDim.y;
  const bool steep = width % 128 == 127 || height % 128 == 127;
  const unsigned sum = q + by * (steep ? 2 : 1);
  const unsigned bx = rx == 0 ? 0 : sum - __umulhi(sum, rx) * gridDim.x;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
