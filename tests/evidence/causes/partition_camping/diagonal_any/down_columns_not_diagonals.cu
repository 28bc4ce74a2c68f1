// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=17
// says: Consecutive blocks go straight down a column of tiles, so all of them read from one partition; add the row
//   to the column to follow a diagonal.

constexpr int T = 32;

template <typename F>
__device__ void each_row(F f) {
  for (int r = threadIdx.y; r < T; r += blockDim.y) f(r);
}

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[T][T + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int down = id % gridDim.y;
  const int right = id / gridDim.y;
  const int x = threadIdx.x;

  each_row([&](int r) {
    const int row = down * T + r, column = right * T + x;
    if (row < height && column < width) tile[r][x] = in[row * width + column];
  });
  __syncthreads();
  each_row([&](int r) {
    const int row = right * T + r, column = down * T + x;
    if (row < width && column < height) out[row * height + column] = tile[x][r];
  });
}
