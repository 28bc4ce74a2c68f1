// SPDX-License-Identifier: Apache-2.0
// tries: Submits the solution of exercise `padded`, whose tile has no conflicts but is too large.
// stopped by: The points for conflicts require the guard on shared memory bytes
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 5 points
constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float value[kRowsAThread] = {};  // in registers; 0 outside the matrix, which no thread stores
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    if (column < width && r < height) value[k] = in[r * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    tile[y][threadIdx.x] = value[k];
  }

  __syncthreads();

  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    if (out_column < height && r < width) out[r * height + out_column] = tile[threadIdx.x][y];
  }
}
