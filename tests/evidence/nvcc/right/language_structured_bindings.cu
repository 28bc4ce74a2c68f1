// SPDX-License-Identifier: Apache-2.0
// A structured binding of a struct that a device function returns.
// launch: --kernel divisions --grid 1 --block 32 --arg out:i32:64
struct Division {
  int quotient;
  int remainder;
};
__device__ Division divide(int a, int b) { return {a / b, a % b}; }
__global__ void divisions(int* out) {
  const auto [q, r] = divide(100 + threadIdx.x, 7);
  out[2 * threadIdx.x] = q;
  out[2 * threadIdx.x + 1] = r;
}
