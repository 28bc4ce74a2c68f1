// SPDX-License-Identifier: Apache-2.0
// A device function that calls itself twice.
// launch: --kernel numbers --grid 1 --block 16 --arg out:i32:16
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void numbers(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
