// SPDX-License-Identifier: Apache-2.0
// cub::WarpMergeSort of two keys per lane.
// launch: --kernel sorts --grid 1 --block 32 --arg in:i32:64:iota --arg out:i32:64
#include <cub/warp/warp_merge_sort.cuh>
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
__global__ void sorts(const int* in, int* out) {
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ typename Sort::TempStorage storage;
  int keys[2] = {in[2 * threadIdx.x] * 29 % 64, in[2 * threadIdx.x + 1] * 29 % 64};
  Sort(storage).Sort(keys, Less{});
  out[2 * threadIdx.x] = keys[0];
  out[2 * threadIdx.x + 1] = keys[1];
}
