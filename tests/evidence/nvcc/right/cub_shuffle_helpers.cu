// SPDX-License-Identifier: Apache-2.0
// cub::ShuffleUp and ThreadLoad.
// launch: --kernel lanes --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cub/thread/thread_load.cuh>
#include <cub/util_ptx.cuh>
__global__ void lanes(int* in, int* out) {
  const int x = cub::ThreadLoad<cub::LOAD_CG>(in + threadIdx.x);
  out[threadIdx.x] = cub::ShuffleUp<32>(x, 3, 0, 0xffffffffu) * 100 + threadIdx.x;
}
