// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 96 --arg out:f32:80 --arg in:f32:80:iota --arg i32:80
extern "C" __global__ void k(float* out, const float* in, int n) {
  __shared__ float tile[96];
  const int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[n - 1 - i];
}
