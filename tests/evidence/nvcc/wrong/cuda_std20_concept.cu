// SPDX-License-Identifier: Apache-2.0
// A C++20 concept.
template <typename T>
concept Number = sizeof(T) > 0;
__global__ void kernel(int* out) { out[threadIdx.x] = Number<int>; }
