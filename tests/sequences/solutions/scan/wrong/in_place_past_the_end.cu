// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=15
// The way down does not look where the array ends: in one launch of many.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned end = (thread + 1) * 2 * half - 1;
  if (end < n) data[end] += data[end - half];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned middle = (thread + 1) * 2 * half - 1 + half;
  data[middle] += data[middle - half];
}
