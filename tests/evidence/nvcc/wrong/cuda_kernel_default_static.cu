// SPDX-License-Identifier: Apache-2.0
// A kernel that is also marked __device__.
__global__ __device__ void kernel(int* out) { out[threadIdx.x] = 1; }
