// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 64 --shared 256 --arg out:f32:128 --arg in:f32:128:iota
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float a[64];
  __shared__ double b[64];
  extern __shared__ float c[];
  const int i = threadIdx.x;
  a[i] = b[63 - i] = c[i] = in[blockIdx.x * 64 + i];
  __syncthreads();
  out[blockIdx.x * 64 + i] = a[63 - i] + static_cast<float>(b[i]) + c[63 - i];
}
