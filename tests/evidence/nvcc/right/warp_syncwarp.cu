// SPDX-License-Identifier: Apache-2.0
// Neighbouring lanes exchange values through shared memory with __syncwarp().
// launch: --kernel exchange --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
__global__ void exchange(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t] * 3;
  __syncwarp();
  const int other = tile[t ^ 1];
  __syncwarp();
  tile[t] = other + 1;
  __syncwarp();
  out[t] = tile[t ^ 2];
}
