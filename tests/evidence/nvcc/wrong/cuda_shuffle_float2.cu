// SPDX-License-Identifier: Apache-2.0
// A shuffle of a float2.
__global__ void kernel(float* out) {
  float2 v = make_float2(threadIdx.x, 1);
  v = __shfl_xor_sync(0xffffffff, v, 1);
  out[threadIdx.x] = v.x;
}
