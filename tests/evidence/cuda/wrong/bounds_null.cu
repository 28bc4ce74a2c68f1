// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg u64:0
// | bounds_null.cu:8:3: out_of_bounds: reads 4 bytes, through a null pointer; check where the pointer comes from; malloc() returns null if the heap is full
// |     8 |   out[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x];
}
