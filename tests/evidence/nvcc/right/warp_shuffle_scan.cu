// SPDX-License-Identifier: Apache-2.0
// An inclusive scan with __shfl_up_sync.
// launch: --kernel scan --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
__global__ void scan(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(0xffffffff, sum, step);
    if (threadIdx.x >= step) sum += below;
  }
  out[threadIdx.x] = sum;
}
