// SPDX-License-Identifier: Apache-2.0
// atomicSub of a float.
__global__ void kernel(float* out, const float* in) { atomicSub(out, in[threadIdx.x]); }
