// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_wild_free.cu:11:3: out_of_bounds: free() of address 0x6c0000000004, which is 4 bytes into the 64 bytes that malloc() returned in line 8; pass it the pointer that malloc() returned
// |    11 |   free(list);
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(64));
  *list++ = 1;
  out[threadIdx.x] = 1;
  free(list);
}
