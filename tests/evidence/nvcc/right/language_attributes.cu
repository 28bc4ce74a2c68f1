// SPDX-License-Identifier: Apache-2.0
// [[nodiscard]], [[maybe_unused]] and __attribute__ in device code.
// launch: --kernel attributed --grid 1 --block 32 --arg out:i32:32
[[nodiscard]] __device__ int twice(int x) { return 2 * x; }
__global__ void attributed(int* out) {
  [[maybe_unused]] const int unused = 3;
  int __attribute__((aligned(8))) x = twice(threadIdx.x);
  out[threadIdx.x] = x;
}
