// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:1073741824
// | bounds_huge_index.cu:9:3: out_of_bounds: writes 4 bytes, at address 0x7f0100000000, outside every buffer; check the pointer and the index before the access (can it be negative or overflow 32 bits?)
// |     9 |   out[static_cast<unsigned>(i * stride)] = i;
// |       |   ^
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out, int stride) {
  const int i = threadIdx.x;
  out[static_cast<unsigned>(i * stride)] = i;
}
