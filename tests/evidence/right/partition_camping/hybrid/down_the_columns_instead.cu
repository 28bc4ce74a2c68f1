// SPDX-License-Identifier: Apache-2.0
// If the diagonal order camps, walks down the columns of tiles: the Cartesian order of the output.
__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned q = gridDim.y == 1 ? id : __umulhi(id, ry);
  unsigned by = id - q * gridDim.y;
  if (by >= gridDim.y) q--, by += gridDim.y;
  unsigned bx = q;
  if (((width + 1) & 127) != 0 && ((height + 1) & 127) != 0) {
    bx = q + by;
    bx -= (gridDim.x == 1 ? bx : __umulhi(bx, rx)) * gridDim.x;
  }
  for (unsigned j = threadIdx.y; j < 32; j += 8) {
    const unsigned r = by * 32 + j, c = bx * 32 + threadIdx.x;
    if (r < height && c < width) tile[j][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (unsigned j = threadIdx.y; j < 32; j += 8) {
    const unsigned r = bx * 32 + j, c = by * 32 + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = tile[threadIdx.x][j];
  }
}
