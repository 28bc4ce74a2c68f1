// SPDX-License-Identifier: Apache-2.0
// An element of a file-scope constexpr std::array.
#include <array>
constexpr std::array<int, 4> weights = {1, 2, 3, 4};
__global__ void kernel(int* out) { out[threadIdx.x] = weights[2] * weights.size(); }
