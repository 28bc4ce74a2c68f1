// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_index line=16
// says: The tile is stored at row y and column x, but only the tile is turned: blocks keep their
//   place.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(float* a, const float* b, int n, int m) {
  __shared__ float s[kTile][kTile + 1];
  const int bx = blockIdx.x * kTile, by = blockIdx.y * kTile;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty; i < kTile; i += 8)
    if (bx + tx < n && by + i < m) s[i][tx] = b[(by + i) * n + bx + tx];
  __syncthreads();
  for (int i = ty; i < kTile; i += 8)
    if (by + tx < m && bx + i < n) a[(bx + i) * m + by + tx] = s[i][tx]; 
}
