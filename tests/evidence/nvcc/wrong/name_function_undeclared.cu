// SPDX-License-Identifier: Apache-2.0
// A device function that is defined below its use.
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
__device__ int twice(int x) { return 2 * x; }
