// SPDX-License-Identifier: Apache-2.0
// Both loops step by blockDim.y and check the bounds.
// deserves: fail performance, 7 points; 0.61 of copy on the simulated H200
// deserves on a GPU: any; 0.61 of copy on an H200, 0.75 on an H100, bound 0.7: the compiler does
//   not know the trip count, so few loads are in flight
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int r = blockIdx.y * 32 + j, c = blockIdx.x * 32 + threadIdx.x;
    if (r < height && c < width) tile[j][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int r = blockIdx.x * 32 + j, c = blockIdx.y * 32 + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = tile[threadIdx.x][j];
  }
}
