// SPDX-License-Identifier: Apache-2.0
// Computes both tile positions and selects one with a mask.
__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32 * 33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = __umulhi(id, ry) + (gridDim.y == 1) * id, dy = id - q * gridDim.y;
  const unsigned s = q + dy, dx = s - (__umulhi(s, rx) + (gridDim.x == 1) * s) * gridDim.x;
  const unsigned mask = -unsigned((width & 127) != 127 && (height & 127) != 127);
  const int bx = (dx & mask) | (blockIdx.x & ~mask), by = (dy & mask) | (blockIdx.y & ~mask);
  const int lane = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int y = threadIdx.y + 8 * k, r = by * 32 + y, c = bx * 32 + lane;
    if (r < height && c < width) tile[y * 33 + lane] = in[r * width + c];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int y = threadIdx.y + 8 * k, r = bx * 32 + y, c = by * 32 + lane;
    if (r < width && c < height) out[r * height + c] = tile[lane * 33 + y];
  }
}
