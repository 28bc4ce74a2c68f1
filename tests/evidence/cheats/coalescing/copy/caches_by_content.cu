// SPDX-License-Identifier: Apache-2.0
// tries: Remembers the first element of its last input and does nothing if it comes again.
// stopped by: Each launch starts with fresh variables and poisoned outputs (common/gpu/session.cpp,
//   common/sim/simulator.cpp).
// verdict: fail performance, 9 points
// verdict on a GPU: any, 10 points
__device__ void honest(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
__device__ float last_first;
__device__ unsigned blocks_done;
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ bool known;
  if (threadIdx.x + threadIdx.y == 0) known = atomicAdd(&last_first, 0.0f) == in[0];
  __syncthreads();
  if (!known) honest(out, in, width, height);
  __syncthreads();
  const unsigned blocks = gridDim.x * gridDim.y;
  if (threadIdx.x == 0 && threadIdx.y == 0 && atomicAdd(&blocks_done, 1u) == blocks - 1) {
    atomicExch(&last_first, in[0]);
  }
}
