// SPDX-License-Identifier: Apache-2.0
// The C++20 three-way comparison.
__global__ void kernel(int* out) { out[threadIdx.x] = (int(threadIdx.x) <=> 3) < 0; }
