// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_freed_twice.cu:12:3: out_of_bounds: frees the 64 bytes that malloc() returned in line 9 a second time, after the first in line 12; free each allocation once
// |    12 |   free(shared);  // by each thread
// |       |   ^
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int* shared;
  if (threadIdx.x == 0) shared = static_cast<int*>(malloc(64));
  __syncwarp();
  out[threadIdx.x] = shared != nullptr;
  free(shared);  // by each thread
}
