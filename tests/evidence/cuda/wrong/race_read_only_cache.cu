// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
extern "C" __global__ void k(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float next = __ldg(out + (threadIdx.x + 1) % 64);
  __syncthreads();
  out[threadIdx.x] += next;
}
