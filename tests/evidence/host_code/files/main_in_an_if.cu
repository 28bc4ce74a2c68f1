// SPDX-License-Identifier: Apache-2.0
// main() between #ifndef and #endif; macros that the kernel uses are defined in it.
// left out: main
__device__ int step();
#ifndef NO_MAIN
int main() {
#define STEP 4
#if STEP > 3
  return STEP;
#else
  return 0;
#endif
}
#endif
__device__ int step() { return STEP; }
__global__ void walk(int* x) { x[threadIdx.x * step()] = step(); }
