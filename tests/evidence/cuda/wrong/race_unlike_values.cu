// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:1 --arg in:i32:64:iota
// | race_unlike_values.cu:9:3: race: thread (32, 0, 0) writes bytes 0 to 3 of found, which thread (23, 0, 0) writes in the same line, with no barrier in between: their order is undefined. Let only one thread write there, or give each thread its own element. This happened 6 times.
// |     9 |   if (in[threadIdx.x] % 9 == 5) found = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int found;
  if (in[threadIdx.x] % 9 == 5) found = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = found;
}
