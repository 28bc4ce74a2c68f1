// SPDX-License-Identifier: Apache-2.0
// std::numeric_limits<float>::max() is a constexpr host function.
#include <limits>
__global__ void kernel(float* out, const float* in) {
  float least = std::numeric_limits<float>::max();
  for (int i = 0; i < 4; ++i) least = fminf(least, in[i]);
  out[threadIdx.x] = least;
}
