// SPDX-License-Identifier: Apache-2.0
// cause: busy_pipe line=21
// says: The second remainder is still computed with %, a division by a number that the compiler does not know; use
//   the reciprocal of gridDim.x.

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[32][33];

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned q = id, r = 0;
  if (gridDim.y > 1) {
    q = __umulhi(id, reciprocal_grid_y);
    r = id - q * gridDim.y;
    if (r >= gridDim.y) {
      r += gridDim.y;
      --q;
    }
  }
  const int ty = r;
  const int tx = (q + r) % gridDim.x;

  int column = tx * 32 + threadIdx.x, row = ty * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  column = ty * 32 + threadIdx.x;
  row = tx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < height && row + j < width) out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
