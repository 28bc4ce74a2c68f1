// SPDX-License-Identifier: Apache-2.0
// Chooses the order with a mask and keeps the tile position in a struct.
struct Choice {
  int x, y;
  __device__ Choice(int width, int height, unsigned rx, unsigned ry)
      : x(blockIdx.x), y(blockIdx.y) {
    const bool camps = (~width & 127) == 0 || (~height & 127) == 0;
    if (camps) return;
    const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
    const unsigned q = gridDim.y > 1 ? __umulhi(id, ry) : id;
    y = id - q * gridDim.y;
    const unsigned s = q + y;
    x = gridDim.x > 1 ? s - __umulhi(s, rx) * gridDim.x : 0;
  }
};

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const Choice b(width, height, rx, ry);
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int r = b.y * 32 + k, c = b.x * 32 + threadIdx.x;
    if (r < height && c < width) tile[k][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) {
    const int r = b.x * 32 + k, c = b.y * 32 + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = tile[threadIdx.x][k];
  }
}
