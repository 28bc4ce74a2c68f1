// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=9
// says: You added a row to the tile, but the rows are still 32 words long, so a column is still in one bank; add a
//   word to each row.

constexpr int N = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float pad[N + 1][N];

  const auto inside = [](int r, int c, int rows, int columns) { return r < rows && c < columns; };
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < N; y += 8) {
    const int r = blockIdx.y * N + y, c = blockIdx.x * N + x;
    if (inside(r, c, height, width)) pad[y][x] = in[r * width + c];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < N; y += 8) {
    const int r = blockIdx.x * N + y, c = blockIdx.y * N + x;
    if (inside(r, c, width, height)) out[r * height + c] = pad[x][y];
  }
}
