// SPDX-License-Identifier: Apache-2.0
// Makes of each 256 elements of `data` their sums from the first on: in place, one block each.
__global__ void scan(int* data, int n, bool exclusive) {
  // Your code.
}
