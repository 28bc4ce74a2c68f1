// SPDX-License-Identifier: Apache-2.0
// A conditional expression as an lvalue.
// launch: --kernel assigned --grid 1 --block 32 --arg out:i32:32
__global__ void assigned(int* out) {
  int even = 1, odd = 2;
  (threadIdx.x % 2 ? odd : even) += threadIdx.x;
  out[threadIdx.x] = even * 100 + odd;
}
