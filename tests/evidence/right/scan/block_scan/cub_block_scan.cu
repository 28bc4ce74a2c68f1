// SPDX-License-Identifier: Apache-2.0
// cub::BlockScan over four items per thread, with 16-byte loads and stores.
#include <cub/block/block_scan.cuh>

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  using Scan = cub::BlockScan<unsigned, 256>;
  __shared__ typename Scan::TempStorage storage;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned items[4] = {};
  if (first + 4 <= n) {
    const uint4 four = *reinterpret_cast<const uint4*>(in + first);
    items[0] = four.x, items[1] = four.y, items[2] = four.z, items[3] = four.w;
  } else {
    for (int k = 0; k < 4; ++k) items[k] = first + k < n ? in[first + k] : 0;
  }
  unsigned total;
  Scan(storage).InclusiveSum(items, items, total);
  if (first + 4 <= n) {
    *reinterpret_cast<uint4*>(out + first) = make_uint4(items[0], items[1], items[2], items[3]);
  } else {
    for (int k = 0; k < 4; ++k) {
      if (first + k < n) out[first + k] = items[k];
    }
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
