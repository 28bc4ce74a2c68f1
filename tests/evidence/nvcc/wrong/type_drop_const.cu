// SPDX-License-Identifier: Apache-2.0
// A pointer to const passed to a function that writes.
__device__ void clear(float* p) { *p = 0; }
__global__ void kernel(const float* in) { clear(in + threadIdx.x); }
