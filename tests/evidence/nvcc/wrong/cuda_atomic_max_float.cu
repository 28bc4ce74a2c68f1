// SPDX-License-Identifier: Apache-2.0
// atomicMax of a float.
__global__ void kernel(float* out, const float* in) { atomicMax(out, in[threadIdx.x]); }
