// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_full.cu:9:3: out_of_bounds: writes 4 bytes, at address 0x1c: an index from a null pointer; check where the pointer comes from; malloc() returns null if the heap is full
// |     9 |   list[threadIdx.x] = 1;
// |       |   ^
// |       block (0, 0, 0), thread (7, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(1 << 20));  // 32 MiB for all threads
  list[threadIdx.x] = 1;
  out[threadIdx.x] = list[threadIdx.x];
  free(list);
}
