// SPDX-License-Identifier: Apache-2.0
// launch: --grid 8 --block 64 --arg out:f32:1 --arg in:f32:512:iota
__device__ float partial[8];
__device__ unsigned done;
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float sum[64];
  __shared__ bool is_last;
  const int i = threadIdx.x;
  sum[i] = in[blockIdx.x * 64 + i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (i < half) sum[i] += sum[i + half];
    __syncthreads();
  }
  if (i == 0) {
    partial[blockIdx.x] = sum[0];
    __threadfence();
    is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && i == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
  }
}
