// SPDX-License-Identifier: Apache-2.0
// __vimax3_s32, __viaddmin_u32 and __vibmax of Hopper.
// launch: --kernel ends --grid 1 --block 32 --arg out:i32:32
__global__ void ends(int* out) {
  bool first;
  const int x = threadIdx.x, y = 31 - x;
  const int larger = __vibmax_s32(x, y, &first);
  out[threadIdx.x] = __vimax3_s32(x, y, 12) + 100 * int(__viaddmin_u32(x, 5u, 20u)) + 10000 * larger + first;
}
