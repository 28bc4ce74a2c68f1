// SPDX-License-Identifier: Apache-2.0
// A struct and an enum local to a kernel.
// launch: --kernel pairs --grid 1 --block 32 --arg out:i32:32
__global__ void pairs(int* out) {
  struct Local {
    int a, b;
    __device__ int sum() const { return a + b; }
  };
  enum { kOffset = 12 };
  const Local x = {int(threadIdx.x), kOffset};
  out[threadIdx.x] = x.sum();
}
