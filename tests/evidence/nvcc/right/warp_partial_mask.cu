// SPDX-License-Identifier: Apache-2.0
// Shuffles among the remaining lanes after half of the warp has returned.
// launch: --kernel rest --grid 1 --block 32 --arg out:i32:32
__global__ void rest(int* out) {
  const int t = threadIdx.x;
  out[t] = -1;
  if (t % 2) return;
  const unsigned evens = 0x55555555;
  int sum = t;
  for (int step = 16; step > 1; step /= 2) sum += __shfl_xor_sync(evens, sum, step);
  out[t] = sum;
}
