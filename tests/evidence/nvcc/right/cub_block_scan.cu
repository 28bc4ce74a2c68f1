// SPDX-License-Identifier: Apache-2.0
// cub::BlockScan, exclusive and inclusive.
// launch: --kernel scans --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:128
#include <cub/block/block_scan.cuh>
__global__ void scans(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  int before, upto;
  Scan(storage).ExclusiveSum(in[threadIdx.x], before);
  __syncthreads();
  Scan(storage).InclusiveSum(in[threadIdx.x], upto);
  out[threadIdx.x] = before;
  out[64 + threadIdx.x] = upto;
}
