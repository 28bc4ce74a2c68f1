// SPDX-License-Identifier: Apache-2.0
// Volatile shared memory in the last steps of a warp reduction.
// launch: --kernel total --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:1
__global__ void total(const int* in, int* out) {
  __shared__ volatile int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  part[t + 32] = 0;
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();
    const int other = part[t + step];
    __syncwarp();
    part[t] += other;
  }
  if (t == 0) out[0] = part[0];
}
