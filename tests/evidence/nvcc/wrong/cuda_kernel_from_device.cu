// SPDX-License-Identifier: Apache-2.0
// A device function that calls a kernel.
__global__ void clear(int* out) { out[threadIdx.x] = 0; }
__device__ void all(int* out) { clear(out); }
__global__ void kernel(int* out) { all(out); }
