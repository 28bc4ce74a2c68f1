// SPDX-License-Identifier: Apache-2.0
// XOR with the row index, whose five bits __brev reverses.
__device__ int place(int row, int column) { return row * 32 + (column ^ (__brev(row) >> 27)); }

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 32];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    const int r = blockIdx.y * 32 + y + j, c = blockIdx.x * 32 + x;
    if (r < height && c < width) tile[place(y + j, x)] = in[r * width + c];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    const int r = blockIdx.x * 32 + y + j, c = blockIdx.y * 32 + x;
    if (r < width && c < height) out[r * height + c] = tile[place(x, y + j)];
  }
}
