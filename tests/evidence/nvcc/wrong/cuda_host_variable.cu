// SPDX-License-Identifier: Apache-2.0
// A global host variable used in a kernel.
int count = 5;
__global__ void kernel(int* out) { out[threadIdx.x] = count; }
