// SPDX-License-Identifier: Apache-2.0
// A tree reduction of a block in shared memory.
// launch: --kernel totals --grid 2 --block 64 --arg in:f32:128:iota --arg out:f32:2
__global__ void totals(const float* in, float* out) {
  __shared__ float part[64];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
