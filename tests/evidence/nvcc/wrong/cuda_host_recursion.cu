// SPDX-License-Identifier: Apache-2.0
// A recursive host function called from a kernel.
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__global__ void kernel(int* out) { out[threadIdx.x] = factorial(threadIdx.x % 8); }
