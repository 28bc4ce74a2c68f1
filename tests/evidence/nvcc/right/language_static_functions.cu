// SPDX-License-Identifier: Apache-2.0
// static and inline device functions, forceinline and noinline.
// launch: --kernel chained --grid 1 --block 32 --arg out:i32:32
static __device__ int a(int x) { return x + 1; }
inline __device__ int b(int x) { return x * 2; }
__device__ __forceinline__ int c(int x) { return x - 3; }
__device__ __noinline__ int d(int x) { return x ^ 4; }
__global__ void chained(int* out) { out[threadIdx.x] = d(c(b(a(threadIdx.x)))); }
