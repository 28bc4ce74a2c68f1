// SPDX-License-Identifier: Apache-2.0
// Shared memory and thread variables keep their values across a grid barrier.
// launch: --kernel keeps --grid 5 --block 64 --shared 256 --cooperative --arg out:i32:320 --arg out:i32:5
#include <cooperative_groups.h>
__global__ void keeps(int* out, int* firsts) {
  extern __shared__ int kept[];
  auto grid = cooperative_groups::this_grid();
  int own[4];
  for (int k = 0; k < 4; ++k) own[k] = static_cast<int>(threadIdx.x) * (k + blockIdx.x);
  kept[threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  if (threadIdx.x == 0) firsts[blockIdx.x] = 7 * blockIdx.x;
  grid.sync();
  const int other = firsts[(blockIdx.x + 1) % gridDim.x];
  out[grid.thread_rank()] = kept[63 - threadIdx.x] + own[(threadIdx.x + other) % 4] + other;
}
