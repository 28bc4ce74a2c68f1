// SPDX-License-Identifier: Apache-2.0
// A variable with two memory spaces.
__shared__ __constant__ int table[4];
__global__ void kernel(int* out) { out[threadIdx.x] = table[threadIdx.x % 4]; }
