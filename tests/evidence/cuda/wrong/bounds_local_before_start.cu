// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:3
// | bounds_local_before_start.cu:11:3: out_of_bounds: reads 4 bytes, beginning 12 bytes before the thread's local arrays, which have 32 bytes together; check the index against the size before the access
// |    11 |   out[threadIdx.x] = digits[i - back];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int back) {
  int digits[8];
  for (int d = 0; d < 8; ++d) digits[(d * 3 + threadIdx.x) % 8] = d;
  const int i = threadIdx.x % 8;
  out[threadIdx.x] = digits[i - back];
}
