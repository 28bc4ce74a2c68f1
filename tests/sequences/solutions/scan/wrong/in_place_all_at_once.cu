// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=instructions
// One thread scans all in the first launch; the others do nothing. All launches are counted.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  if (half != 1 || blockIdx.x + threadIdx.x != 0) return;
  for (unsigned i = 1; i < n; ++i) data[i] += data[i - 1];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
}
