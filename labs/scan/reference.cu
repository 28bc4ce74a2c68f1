// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, computed in the simplest way: one warp walks over the elements,
// 32 at a time, and carries the sum of all elements before.

// Inclusive sums of the elements from `first` to `end` - 1; returns their total.
__device__ unsigned scan_in_order(unsigned* out, const unsigned* in, unsigned first, unsigned end) {
  unsigned before = 0;
  for (unsigned i = first; i < end; i += 32) {
    const bool is_inside = i + threadIdx.x < end;
    unsigned sum = is_inside ? in[i + threadIdx.x] : 0;
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffffu, sum, step);
      if (threadIdx.x >= step) sum += left;
    }
    if (is_inside) out[i + threadIdx.x] = before + sum;
    before += __shfl_sync(0xffffffffu, sum, 31);
  }
  return before;
}

// Block b scans the elements 1024 b to 1024 b + 1023; elements past the end do not count.
__global__ void scan_blocks_reference(unsigned* out, unsigned* totals, const unsigned* in,
                                      unsigned n) {
  const unsigned first = blockIdx.x * 1024;
  const unsigned total = scan_in_order(out, in, first, min(first + 1024, n));
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void scan_reference(unsigned* out, const unsigned* in, unsigned n) {
  scan_in_order(out, in, 0, n);
}
