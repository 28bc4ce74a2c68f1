// SPDX-License-Identifier: Apache-2.0
// The three-way comparison of C++20.
__global__ void kernel(int* out) { out[threadIdx.x] = (int(threadIdx.x) <=> 3) < 0; }
