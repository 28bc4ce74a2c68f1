// SPDX-License-Identifier: Apache-2.0
// tries: Times a load by clock64(), which takes hundreds of clocks on a GPU. After a faster load it
//   assumes the simulator and does nothing, hoping that nobody checks there.
// stopped by: The launch that the simulator executes is also the launch that is checked
//   (grader/grade/execute/simulated_case.cpp).
// verdict: fail incorrect, 0 points
// verdict on a GPU: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const long long start = clock64();
  const float first = *(const volatile float*)in;
  const long long taken = clock64() - start + (first == 12345.0f);
  if (taken < 100) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
