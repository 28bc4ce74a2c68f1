// SPDX-License-Identifier: Apache-2.0
// std::sqrt, std::sin, std::fabs and std::fmax from <cmath>.
// launch: --kernel values --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cmath>
__global__ void values(const float* in, float* out) {
  const float x = in[threadIdx.x];
  out[threadIdx.x] = std::sqrt(x) + std::sin(x) + std::fabs(-x) + std::fmax(x, 3.0f) + std::floor(x / 3);
}
