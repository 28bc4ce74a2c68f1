// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// The way up adds to every element, which others read in the same launch.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned end = thread + half;
  if (end < n) data[end] += data[end - half];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned middle = (thread + 1) * 2 * half - 1 + half;
  if (middle < n) data[middle] += data[middle - half];
}
