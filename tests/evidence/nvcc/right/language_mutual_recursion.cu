// SPDX-License-Identifier: Apache-2.0
// Two functions that call each other, with a forward declaration.
// launch: --kernel parities --grid 1 --block 32 --arg out:i32:32
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }
__global__ void parities(int* out) { out[threadIdx.x] = is_even(threadIdx.x) * 2 + is_odd(threadIdx.x); }
