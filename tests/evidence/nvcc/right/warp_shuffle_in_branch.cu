// SPDX-License-Identifier: Apache-2.0
// Shuffles in a branch, with the mask of the lanes that take it.
// launch: --kernel halves --grid 1 --block 32 --arg out:i32:32
__global__ void halves(int* out) {
  const int t = threadIdx.x;
  int value = t * t;
  const unsigned mask = __ballot_sync(0xffffffff, t < 12);
  if (t < 12) value += __shfl_sync(mask, value, 11 - t);
  out[t] = value;
}
