// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | uninitialized_heap.cu:9:3: uninitialized_read: reads 4 bytes of the 32 bytes that malloc() returned in line 8, which nothing has written yet; memory from malloc() is not zero-initialized: store to it first
// |     9 |   ++count[threadIdx.x % 8];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* count = static_cast<int*>(malloc(8 * sizeof(int)));
  ++count[threadIdx.x % 8];
  out[threadIdx.x] = count[threadIdx.x % 8];
  free(count);
}
