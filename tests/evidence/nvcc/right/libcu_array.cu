// SPDX-License-Identifier: Apache-2.0
// cuda::std::array and its members.
// launch: --kernel arrays --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/array>
__global__ void arrays(const int* in, int* out) {
  cuda::std::array<int, 4> values{1, 2, 3, 4};
  values[in[threadIdx.x] % 4] += 10;
  int sum = 0;
  for (int v : values) sum = sum * 3 + v;
  out[threadIdx.x] = sum + values.front() + static_cast<int>(values.size());
}
