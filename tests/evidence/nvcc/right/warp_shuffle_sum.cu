// SPDX-License-Identifier: Apache-2.0
// A warp's sum with __shfl_down_sync and __shfl_xor_sync.
// launch: --kernel sums --grid 1 --block 64 --arg in:f32:64:iota --arg out:f32:64
__global__ void sums(const float* in, float* out) {
  float down = in[threadIdx.x], all = down;
  for (int step = 16; step > 0; step /= 2) {
    down += __shfl_down_sync(0xffffffff, down, step);
    all += __shfl_xor_sync(0xffffffff, all, step);
  }
  out[threadIdx.x] = threadIdx.x % 32 == 0 ? down : all * 0.5f;
}
