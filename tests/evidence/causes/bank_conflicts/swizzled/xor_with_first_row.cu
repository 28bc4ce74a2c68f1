// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=19
// says: The store puts column c of row r at place c ^ r, but the load looks at (tx ^ ty) + j,
//   which is another place: it must be tx ^ (ty + j).
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx, row = blockIdx.y * kTile + ty;
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) tile[ty + j][tx ^ (ty + j)] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + tx, out_row = blockIdx.x * kTile + ty;
  for (int j = 0; j < kTile; j += 8) {
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[tx][(tx ^ ty) + j & 31];
  }
}
