// SPDX-License-Identifier: Apache-2.0
// Block and element indices are 64-bit.
__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32][33];
  const size_t w = width, h = height;
  const size_t id = blockIdx.x + size_t(gridDim.x) * blockIdx.y;
  const size_t by = id % gridDim.y, bx = (id / gridDim.y + by) % gridDim.x;
  for (size_t j = threadIdx.y; j < 32; j += 8) {
    const size_t r = by * 32 + j, c = bx * 32 + threadIdx.x;
    if (r < h && c < w) tile[j][threadIdx.x] = in[r * w + c];
  }
  __syncthreads();
  for (size_t j = threadIdx.y; j < 32; j += 8) {
    const size_t r = bx * 32 + j, c = by * 32 + threadIdx.x;
    if (r < w && c < h) out[r * h + c] = tile[threadIdx.x][j];
  }
}
