// SPDX-License-Identifier: Apache-2.0
// A kernel that is also a device function.
__global__ __device__ void kernel(int* out) { out[threadIdx.x] = 1; }
