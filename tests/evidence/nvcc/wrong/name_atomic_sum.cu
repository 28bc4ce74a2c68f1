// SPDX-License-Identifier: Apache-2.0
// atomicSum does not exist.
__global__ void kernel(float* sum, const float* in) { atomicSum(sum, in[threadIdx.x]); }
