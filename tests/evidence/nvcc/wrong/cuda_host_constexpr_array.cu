// SPDX-License-Identifier: Apache-2.0
// A file-scope constexpr array, indexed at run time.
constexpr float kWeights[3] = {0.25f, 0.5f, 0.25f};
__global__ void kernel(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) sum += kWeights[i] * in[threadIdx.x + i];
  out[threadIdx.x] = sum;
}
