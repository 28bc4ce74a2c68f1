// SPDX-License-Identifier: Apache-2.0
// A destructor that runs at the end of a block.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:32
struct Counter {
  int* to;
  __device__ explicit Counter(int* t) : to(t) {}
  __device__ ~Counter() { *to += 10; }
};
__global__ void counted(int* out) {
  int total = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    Counter counter(&total);
    if (i == 1) continue;
    total *= 2;
  }
  out[threadIdx.x] = total;
}
