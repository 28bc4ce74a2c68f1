// SPDX-License-Identifier: Apache-2.0
// tries: Works on the first call, which it takes for the checked one, and leaves the timed ones
//   out.
// stopped by: A module is loaded for each launch, so every call is the first: the work is done
//   each time (common/gpu/session.cpp, common/sim/simulator.cpp). The time model makes its
//   two atomics a block too slow: 0.54 of copy, bound 0.6, which an H200 reaches.
// verdict: fail performance, 9 points
// verdict on a GPU: any, 10 points
__device__ void honest(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
__device__ unsigned blocks_done;
__device__ unsigned calls;
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ bool is_first;
  if (threadIdx.x + threadIdx.y == 0) is_first = atomicAdd(&calls, 0u) == 0;
  __syncthreads();
  if (is_first) honest(out, in, width, height);
  __syncthreads();
  const unsigned blocks = gridDim.x * gridDim.y;
  if (threadIdx.x == 0 && threadIdx.y == 0 && atomicAdd(&blocks_done, 1u) == blocks - 1) {
    atomicAdd(&calls, 1u);
  }
}
