// SPDX-License-Identifier: Apache-2.0
// C++20 consteval.
consteval int square(int x) { return x * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = square(4); }
