// SPDX-License-Identifier: Apache-2.0
// Antidiagonal order from the right edge: columns go left while rows go down.
struct Order {
  unsigned row, column;
  __device__ Order() {
    const unsigned id = blockIdx.y * gridDim.x + blockIdx.x;
    row = id % gridDim.y;
    const unsigned left = (id / gridDim.y + row) % gridDim.x;
    column = gridDim.x - 1 - left;
  }
};

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32 * 33];
  const Order tile_of;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = tile_of.row * 32 + y, c = tile_of.column * 32 + x;
    if (r < height && c < width) tile[y * 33 + x] = in[r * width + c];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = tile_of.column * 32 + y, c = tile_of.row * 32 + x;
    if (r < width && c < height) out[r * height + c] = tile[x * 33 + y];
  }
}
