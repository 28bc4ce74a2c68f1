// SPDX-License-Identifier: Apache-2.0
// An intrinsic of the device in a function of host and device.
__host__ __device__ int bits(unsigned x) { return __popc(x); }
__global__ void kernel(int* out) { out[threadIdx.x] = bits(threadIdx.x); }
