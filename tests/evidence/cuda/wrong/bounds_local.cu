// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_local.cu:10:3: out_of_bounds: reads 4 bytes, at bytes 32 to 35 of the thread's local arrays, which have 32 bytes together; check the index against the size before the access
// |    10 |   out[threadIdx.x] = digits[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out) {
  int digits[8];
  for (int d = 0; d < 8; ++d) digits[(d * 3 + threadIdx.x) % 8] = d;
  out[threadIdx.x] = digits[threadIdx.x];
}
