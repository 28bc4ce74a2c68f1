// SPDX-License-Identifier: Apache-2.0
// __syncthreads_count, __syncthreads_and and __syncthreads_or.
// launch: --kernel votes --grid 1 --block 64 --arg out:i32:64
__global__ void votes(int* out) {
  const int t = threadIdx.x;
  const int count = __syncthreads_count(t % 5 == 0), all = __syncthreads_and(t < 64), any = __syncthreads_or(t == 99);
  out[t] = count * 100 + (all != 0) * 10 + (any != 0);
}
