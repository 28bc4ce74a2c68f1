// SPDX-License-Identifier: Apache-2.0
// A device function without a return type.
__device__ square(float x) { return x * x; }
__global__ void kernel(float* out) { out[threadIdx.x] = square(threadIdx.x); }
