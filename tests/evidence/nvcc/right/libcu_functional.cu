// SPDX-License-Identifier: Apache-2.0
// cuda::std::plus, greater and invoke.
// launch: --kernel calls --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/functional>
__global__ void calls(const int* in, int* out) {
  const int sum = cuda::std::plus<>{}(in[threadIdx.x], 5);
  out[threadIdx.x] = cuda::std::greater<int>{}(sum, 20) ? cuda::std::invoke([](int x) { return -x; }, sum) : sum;
}
