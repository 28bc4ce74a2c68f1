// SPDX-License-Identifier: Apache-2.0
// A lambda that changes a captured variable.
// launch: --kernel counted --grid 1 --block 32 --arg out:i32:32
__global__ void counted(int* out) {
  int steps = 0;
  const auto step = [&](int n) {
    ++steps;
    return n % 2 ? 3 * n + 1 : n / 2;
  };
  int n = threadIdx.x + 1;
  while (n != 1) n = step(n);
  out[threadIdx.x] = steps;
}
