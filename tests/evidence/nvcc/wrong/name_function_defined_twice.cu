// SPDX-License-Identifier: Apache-2.0
// A device function with two bodies.
__device__ int twice(int x) { return 2 * x; }
__device__ int twice(int x) { return x + x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
