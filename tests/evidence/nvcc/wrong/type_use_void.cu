// SPDX-License-Identifier: Apache-2.0
// The result of a void function is used.
__device__ void clear(float* p) { *p = 0; }
__global__ void kernel(float* out) { out[threadIdx.x] = clear(out); }
