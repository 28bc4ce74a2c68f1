// SPDX-License-Identifier: Apache-2.0
// if and switch with an initializer.
// launch: --kernel classes --grid 1 --block 32 --arg out:i32:32
__global__ void classes(int* out) {
  int kind = 0;
  if (const int t = threadIdx.x; t % 3 == 0) kind = 10 + t;
  switch (const int rest = threadIdx.x % 4; rest) {
    case 0: kind += 100; break;
    case 1: kind += 200; [[fallthrough]];
    case 2: kind += 300; break;
    default: kind -= rest;
  }
  out[threadIdx.x] = kind;
}
