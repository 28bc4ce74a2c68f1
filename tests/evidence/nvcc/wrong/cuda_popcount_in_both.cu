// SPDX-License-Identifier: Apache-2.0
// A device intrinsic in a __host__ __device__ function.
__host__ __device__ int bits(unsigned x) { return __popc(x); }
__global__ void kernel(int* out) { out[threadIdx.x] = bits(threadIdx.x); }
