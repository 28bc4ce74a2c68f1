// SPDX-License-Identifier: Apache-2.0
// __ldg of a value instead of an address.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = __ldg(in[threadIdx.x]); }
