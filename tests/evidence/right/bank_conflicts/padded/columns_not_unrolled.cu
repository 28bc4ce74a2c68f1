// SPDX-License-Identifier: Apache-2.0
// Fills the tile by columns, in loops that are not unrolled.
// deserves: fail performance, 7 points; 0.62 of copy on the simulated H200
// deserves on a GPU: any; 0.61 of copy on an H200, more on an H100, bound 0.7: each warp has one
//   load in flight
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll 1
  for (int j = ty; j < 32; j += 8) {
    const int r = blockIdx.y * 32 + j, c = blockIdx.x * 32 + tx;
    if (r < height && c < width) tile[tx][j] = in[r * width + c];
  }
  __syncthreads();
#pragma unroll 1
  for (int j = ty; j < 32; j += 8) {
    const int r = blockIdx.x * 32 + j, c = blockIdx.y * 32 + tx;
    if (r < width && c < height) out[r * height + c] = tile[j][tx];
  }
}
