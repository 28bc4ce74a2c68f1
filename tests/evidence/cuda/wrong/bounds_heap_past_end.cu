// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_past_end.cu:9:3: out_of_bounds: writes 4 bytes, at bytes 16 to 19 of the 16 bytes that malloc() returned in line 8; check the index against the size before the access
// |     9 |   for (int i = 0; i <= 4; ++i) list[i] = i;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i <= 4; ++i) list[i] = i;
  out[threadIdx.x] = list[threadIdx.x % 4];
  free(list);
}
