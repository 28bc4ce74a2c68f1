// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=14
// says: BlockScan is a template over the type and the number of threads: its InclusiveSum takes
//   the element by value and the result by reference, not an array as a pointer.
#include <cub/block/block_scan.cuh>

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  using Scan = cub::BlockScan<unsigned, 256>;
  __shared__ typename Scan::TempStorage storage;
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned own[4], total;
  for (int k = 0; k < 4; ++k) own[k] = first + k < n ? in[first + k] : 0;
  unsigned* p = own;
  Scan(storage).InclusiveSum(p, p, total);
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = own[k];
  if (threadIdx.x == 255) totals[blockIdx.x] = total;
}
