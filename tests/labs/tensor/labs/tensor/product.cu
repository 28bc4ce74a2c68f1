// SPDX-License-Identifier: Apache-2.0
#include <mma.h>

// out = a * b, row-major: a has k columns, b and out have n. Blocks of one warp; block (x, y) makes the
// tile of 16 x 16 of `out` in tile column x and tile row y. All extents are multiples of 16.
__global__ void product(float* out, const __half* a, const __half* b, int n, int k) {
  // TODO: load tiles of a and b as fragments, multiply and add, store the sum.
}
