// SPDX-License-Identifier: Apache-2.0
// A host function called from a kernel.
int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
