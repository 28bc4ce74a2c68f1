// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged
// cause: wrong_guard
// The way down leaves its last level out.

__global__ void sweep_up(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned end = (thread + 1) * 2 * half - 1;
  if (end < n) data[end] += data[end - half];
}

__global__ void sweep_down(int* data, unsigned n, unsigned half) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned middle = (thread + 1) * 2 * half - 1 + half;
  if (half > 1 && middle < n) data[middle] += data[middle - half];
}
