// SPDX-License-Identifier: Apache-2.0
// thrust::pair and thrust::swap.
// launch: --kernel pairs --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <thrust/pair.h>
#include <thrust/swap.h>
__global__ void pairs(const int* in, int* out) {
  thrust::pair<int, int> p(in[threadIdx.x], 31 - in[threadIdx.x]);
  if (p.first > p.second) thrust::swap(p.first, p.second);
  out[threadIdx.x] = p.first * 100 + p.second;
}
