// SPDX-License-Identifier: Apache-2.0
// A __constant__ variable initialized at run time.
int seed();
__constant__ int base = seed();
__global__ void kernel(int* out) { out[threadIdx.x] = base; }
