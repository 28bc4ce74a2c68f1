// SPDX-License-Identifier: Apache-2.0
// cub::BlockReduce with a sum and a maximum.
// launch: --kernel sums --grid 2 --block 128 --arg in:i32:256:iota --arg out:i32:4
#include <cub/block/block_reduce.cuh>
struct Larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
__global__ void sums(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int x = in[blockIdx.x * 128 + threadIdx.x];
  const int sum = Reduce(storage).Sum(x);
  __syncthreads();
  const int largest = Reduce(storage).Reduce(x * 37 % 101, Larger{});
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = largest;
  }
}
