// SPDX-License-Identifier: Apache-2.0
// Exercise scan/in_place: a scan of `n` elements in place, one launch per level.
//
// sweep_up is launched for half = 1, 2, 4, ...: to each element that ends a piece of 2 half
// elements it adds the element half places before. sweep_down follows for halves from large to
// small: it adds a piece's sum to the element in the middle of the next piece.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned end = (thread + 1) * 2 * half - 1;
  if (end < n) data[end] += data[end - half];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
}
