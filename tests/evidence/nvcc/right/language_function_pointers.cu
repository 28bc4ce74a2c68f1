// SPDX-License-Identifier: Apache-2.0
// A __device__ const table of device function pointers.
// launch: --kernel apply --grid 1 --block 32 --arg out:i32:32
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
typedef int (*Operation)(int, int);
__device__ const Operation kOperations[] = {add, sub, mul};
__global__ void apply(int* out) {
  const int t = threadIdx.x;
  out[t] = kOperations[t % 3](t, 5);
}
