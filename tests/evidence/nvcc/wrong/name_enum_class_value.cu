// SPDX-License-Identifier: Apache-2.0
// An enum class value without its scope.
enum class Color { kRed, kGreen };
__global__ void kernel(int* out) { out[threadIdx.x] = static_cast<int>(kRed); }
