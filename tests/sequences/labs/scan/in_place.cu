// SPDX-License-Identifier: Apache-2.0
// Exercise scan/in_place: a scan of `n` elements in place, a launch a level.
//
// sweep_up is launched for half = 1, 2, 4, ...: each element that ends a piece of 2 half elements
// gets what stands half before it added. sweep_down follows for halves from large to small: each
// element in the middle behind such a piece gets the piece's sum added.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned end = (thread + 1) * 2 * half - 1;
  if (end < n) data[end] += data[end - half];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
}
