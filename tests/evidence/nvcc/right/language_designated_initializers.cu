// SPDX-License-Identifier: Apache-2.0
// Designated initialisers of a struct.
// launch: --kernel ranges --grid 1 --block 32 --arg out:i32:32
struct Range {
  int first, last, step;
};
__global__ void ranges(int* out) {
  const Range r = {.first = 2, .last = 40, .step = 3};
  int sum = 0;
  for (int i = r.first; i < r.last; i += r.step) sum += i * threadIdx.x;
  out[threadIdx.x] = sum;
}
