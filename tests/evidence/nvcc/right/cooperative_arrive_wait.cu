// SPDX-License-Identifier: Apache-2.0
// Threads arrive at the grid barrier, do independent work, and wait.
// launch: --kernel split --grid 4 --block 64 --cooperative --arg inout:i32:256:iota --arg out:i32:256 --arg out:i32:256
#include <cooperative_groups.h>
#include <utility>
__global__ void split(int* data, int* own, int* out) {
  auto grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  const int n = static_cast<int>(grid.size());
  for (int round = 0; round < 3; ++round) {
    data[i] = data[i] * 5 + round;
    auto token = grid.barrier_arrive();
    own[i] = i * i + round;
    grid.barrier_wait(std::move(token));
    out[i] = data[(i + 77) % n];
    grid.sync();
  }
}
