// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=15
// says: The tile must be stored at the mirrored block, so blockIdx.x and blockIdx.y have to change places for the
//   store.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float square[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;

  int c = blockIdx.x * 32 + tx, r = blockIdx.y * 32 + ty;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (c < width && r + 8 * k < height) square[ty + 8 * k][tx] = in[(r + 8 * k) * width + c];
  __syncthreads();

  c = blockIdx.x * 32 + tx;
  r = blockIdx.y * 32 + ty;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (c < height && r + 8 * k < width) out[(r + 8 * k) * height + c] = square[tx][ty + 8 * k];
}
