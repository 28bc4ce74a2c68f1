// SPDX-License-Identifier: Apache-2.0
// alloca() with a size known only at run time.
// launch: --kernel stacked --grid 1 --block 32 --arg out:i32:32
__global__ void stacked(int* out) {
  const int n = threadIdx.x + 1;
  int* room = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) room[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += room[i];
  out[threadIdx.x] = sum;
}
