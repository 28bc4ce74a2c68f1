// SPDX-License-Identifier: Apache-2.0
// Using the result of a void function.
__device__ void clear(float* p) { *p = 0; }
__global__ void kernel(float* out) { out[threadIdx.x] = clear(out); }
