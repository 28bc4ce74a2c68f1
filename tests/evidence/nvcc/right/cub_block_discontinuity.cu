// SPDX-License-Identifier: Apache-2.0
// cub::BlockDiscontinuity that flags the heads of runs.
// launch: --kernel heads --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
#include <cub/block/block_discontinuity.cuh>
struct Unequal {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
__global__ void heads(const int* in, int* out) {
  using Runs = cub::BlockDiscontinuity<int, 64>;
  __shared__ typename Runs::TempStorage storage;
  int items[1] = {in[threadIdx.x] / 5}, flags[1];
  Runs(storage).FlagHeads(flags, items, Unequal{});
  out[threadIdx.x] = flags[0];
}
