// SPDX-License-Identifier: Apache-2.0
// tries: Writes 64 KB past the output, beyond the guards of the GPU path.
// stopped by: Every submission also runs on the simulator, which checks every address
//   (common/sim/memory/access.cpp). On a GPU the write may hit the input, which is compared, too.
// verdict: fail diagnostic out_of_bounds, 0 points
// verdict on a GPU: fail diagnostic, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0) out[width * height + 16384] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
