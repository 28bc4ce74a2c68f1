// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store|partial_sectors line=20
// says: The results are stored with the lanes down columns, eight rows of four words for each
//   warp: store along rows, as the loads do.
// never: sectors that loads
constexpr int kW = 32, kH = 8;

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float result[kH][kW + 1];
  int x = blockIdx.x * kW + threadIdx.x, y = blockIdx.y * kH + threadIdx.y;
  if (x < width && y < height) {
    const float* p = in + y * width + x;
    const bool is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    result[threadIdx.y][threadIdx.x] = is_edge ? *p : 0.2f * (p[0] + p[-1] + p[1] + p[-width] + p[width]);
  }
  __syncthreads();
  const int t = threadIdx.y * kW + threadIdx.x, column = t / kH, row = t % kH;
  x = blockIdx.x * kW + column;
  y = blockIdx.y * kH + row;
  if (x < width && y < height) out[y * width + x] = result[row][column];
}
