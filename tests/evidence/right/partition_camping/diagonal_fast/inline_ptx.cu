// SPDX-License-Identifier: Apache-2.0
// mul.hi.u32 in inline assembly.
__device__ unsigned high(unsigned a, unsigned b) {
  unsigned h;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(h) : "r"(a), "r"(b));
  return h;
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = gridDim.y == 1 ? id : high(id, ry);
  const unsigned by = id - q * gridDim.y;
  const unsigned s = q + by;
  const unsigned bx = s - (gridDim.x == 1 ? s : high(s, rx)) * gridDim.x;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  const double* from = in + y * width + x;
  double* put = &tile[threadIdx.y][threadIdx.x];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (x < width && y + 8 * k < height) put[8 * 33 * k] = from[8 * k * width];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  double* to = out + ty * height + tx;
  const double* take = &tile[threadIdx.x][threadIdx.y];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (tx < height && ty + 8 * k < width) to[8 * k * height] = take[8 * k];
}
