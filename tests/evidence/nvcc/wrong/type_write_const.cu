// SPDX-License-Identifier: Apache-2.0
// A write through a pointer to const.
__global__ void kernel(const float* in) { in[threadIdx.x] = 1; }
