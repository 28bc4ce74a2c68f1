// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:1
// | bounds_stack_overflow.cu:8:3: out_of_bounds: stack overflow: 4096 calls deep, fibonacci(int, int) finds no room on the thread's stack of 65536 bytes; does the recursion come to an end for every input? If so, make it a loop, or keep large arrays out of it
// |     8 |   return n == 1 ? 1 : fibonacci(n - step, step) + fibonacci(n - 2 * step, step);  // and n == 0?
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ __noinline__ int fibonacci(int n, int step) {
  return n == 1 ? 1 : fibonacci(n - step, step) + fibonacci(n - 2 * step, step);  // and n == 0?
}
extern "C" __global__ void k(int* out, int step) { out[threadIdx.x] = fibonacci(5, step); }
