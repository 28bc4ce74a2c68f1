// SPDX-License-Identifier: Apache-2.0
// tries: Detects the simulator by the address that malloc() returns and does nothing there.
// stopped by: The launch that the simulator executes is also the launch that is checked
//   (grader/grade/execute/simulated_case.cpp).
// verdict: fail incorrect, 0 points
// verdict on a GPU: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ bool simulated;
  if (threadIdx.x + threadIdx.y == 0) {
    void* piece = malloc(16);
    simulated = (unsigned long long)piece >> 40 == 0x6c;
    free(piece);
  }
  __syncthreads();
  if (simulated) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
