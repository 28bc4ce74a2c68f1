// SPDX-License-Identifier: Apache-2.0
// Shifts and divisions of negative integers, and conversions to narrow types.
// launch: --kernel narrowed --grid 1 --block 32 --arg out:i32:32
__global__ void narrowed(int* out) {
  const int x = -1000 * int(threadIdx.x);
  const signed char c = static_cast<signed char>(x);
  const short s = static_cast<short>(x * 7);
  out[threadIdx.x] = (x >> 3) + x / 7 + x % 7 + c + s;
}
