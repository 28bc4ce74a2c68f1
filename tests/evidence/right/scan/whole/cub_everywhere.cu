// SPDX-License-Identifier: Apache-2.0
// cub::BlockLoad, BlockScan and BlockStore in scan_blocks; BlockScan with a carry in scan_totals.
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  using Load = cub::BlockLoad<unsigned, 256, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<unsigned, 256>;
  using Store = cub::BlockStore<unsigned, 256, 4, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } shared;
  const unsigned first = blockIdx.x * 1024;
  const int valid = n - first < 1024 ? n - first : 1024;
  unsigned items[4], total;
  Load(shared.load).Load(in + first, items, valid, 0u);
  __syncthreads();
  Scan(shared.scan).InclusiveSum(items, items, total);
  __syncthreads();
  Store(shared.store).Store(out + first, items, valid);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  using Scan = cub::BlockScan<unsigned, 1024>;
  __shared__ typename Scan::TempStorage shared;
  unsigned carry = 0;
  for (unsigned begin = 0; begin < blocks; begin += 1024) {
    const unsigned b = begin + threadIdx.x;
    unsigned sum = b < blocks ? totals[b] : 0, total;
    Scan(shared).InclusiveSum(sum, sum, total);
    if (b < blocks) totals[b] = carry + sum;
    carry += total;
    __syncthreads();
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  for (unsigned i = threadIdx.x; i < 1024 && blockIdx.x * 1024 + i < n; i += 256) {
    out[blockIdx.x * 1024 + i] += totals[blockIdx.x - 1];
  }
}
