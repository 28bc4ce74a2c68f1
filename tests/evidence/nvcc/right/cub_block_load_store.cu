// SPDX-License-Identifier: Apache-2.0
// cub::BlockLoad with a transpose, and cub::BlockStore without one.
// launch: --kernel copies --grid 1 --block 32 --arg in:i32:128:iota --arg out:i32:128
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
__global__ void copies(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 32, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 32, 4, cub::BLOCK_STORE_DIRECT>;
  __shared__ typename Load::TempStorage loads;
  __shared__ typename Store::TempStorage stores;
  int items[4];
  Load(loads).Load(in, items);
  for (int i = 0; i < 4; ++i) items[i] = items[i] * 10 + i;
  Store(stores).Store(out, items);
}
