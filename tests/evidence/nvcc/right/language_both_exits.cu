// SPDX-License-Identifier: Apache-2.0
// A __host__ __device__ check that calls exit().
// launch: --kernel checked --grid 1 --block 32 --arg out:i32:32
#include <cstdio>
#include <cstdlib>
__host__ __device__ int at_least(int x, int least) {
  if (x < least) {
    printf("too small");
    exit(1);
  }
  return x - least;
}
__global__ void checked(int* out) { out[threadIdx.x] = at_least(threadIdx.x + 3, 2); }
