// SPDX-License-Identifier: Apache-2.0
// Template arguments on a plain function.
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice<int>(3); }
