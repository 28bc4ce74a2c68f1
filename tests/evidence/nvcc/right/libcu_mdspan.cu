// SPDX-License-Identifier: Apache-2.0
// cuda::std::mdspan with two dimensions.
// launch: --kernel transpose --grid 1 --block 8,8 --arg in:i32:64:iota --arg out:i32:64
#include <cuda/std/mdspan>
__global__ void transpose(const int* in, int* out) {
  cuda::std::mdspan<const int, cuda::std::extents<int, 8, 8>> from(in);
  cuda::std::mdspan<int, cuda::std::extents<int, 8, 8>> to(out);
  to(threadIdx.x, threadIdx.y) = from(threadIdx.y, threadIdx.x);
}
