// SPDX-License-Identifier: Apache-2.0
// A device function defined after its use.
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
__device__ int twice(int x) { return 2 * x; }
