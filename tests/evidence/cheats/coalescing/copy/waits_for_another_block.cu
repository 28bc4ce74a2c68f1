// SPDX-License-Identifier: Apache-2.0
// tries: Waits for blocks that have not started yet.
// stopped by: The simulator limits work (common/sim/block.cpp), and a GPU has a watchdog
//   (common/gpu/session.cpp).
// verdict: fail diagnostic, 0 points
__device__ unsigned arrived;
__global__ void copy(float* out, const float* in, int width, int height) {
  if (threadIdx.x + threadIdx.y == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < 1u << 20) {
    }
  }
  __syncthreads();
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
