// SPDX-License-Identifier: Apache-2.0
// Two buffers in shared memory that swap roles.
// launch: --kernel rotated --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
__global__ void rotated(const int* in, int* out) {
  __shared__ int room[2][32];
  int from = 0;
  const int t = threadIdx.x;
  room[0][t] = in[t];
  __syncthreads();
  for (int i = 0; i < 5; ++i) {
    room[1 - from][t] = room[from][(t + 1) % 32] * 2 % 97;
    from = 1 - from;
    __syncthreads();
  }
  out[t] = room[from][t];
}
