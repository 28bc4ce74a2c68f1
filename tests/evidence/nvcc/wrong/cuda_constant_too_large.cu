// SPDX-License-Identifier: Apache-2.0
// More than 64 KB of constant memory.
__constant__ int table[20000];
__global__ void kernel(int* out) { out[threadIdx.x] = table[threadIdx.x]; }
