// SPDX-License-Identifier: Apache-2.0
// Writing through a pointer to const.
__global__ void kernel(const float* in) { in[threadIdx.x] = 1; }
