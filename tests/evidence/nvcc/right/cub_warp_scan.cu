// SPDX-License-Identifier: Apache-2.0
// cub::WarpScan of 16 lanes.
// launch: --kernel scans --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cub/warp/warp_scan.cuh>
__global__ void scans(const int* in, int* out) {
  using Scan = cub::WarpScan<int, 16>;
  __shared__ typename Scan::TempStorage storage[2];
  int sum;
  Scan(storage[threadIdx.x / 16]).InclusiveSum(in[threadIdx.x], sum);
  out[threadIdx.x] = sum;
}
