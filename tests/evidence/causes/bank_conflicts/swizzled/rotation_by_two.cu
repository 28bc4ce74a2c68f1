// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=23
// says: Rotating row r by 2 r uses 16 different places for the 32 rows, so two words of a column
//   share each bank. Rotate by r.
constexpr int kTile = 32;

__device__ int place(int row, int column) { return (column + 2 * row) % kTile; }

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    const int r = threadIdx.y + j;
    if (column < width && row + j < height) tile[r][place(r, threadIdx.x)] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    const int c = threadIdx.y + j;
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][place(threadIdx.x, c)];
  }
}
