// SPDX-License-Identifier: Apache-2.0
// Replaces each element by the sum of all up to it, one after the other.

__global__ void scan_reference(int* data, unsigned n) {
  int sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    sum += data[i];
    data[i] = sum;
  }
}
