// SPDX-License-Identifier: Apache-2.0
// A __host__ function called from a device function.
__host__ float half_of(float x) { return x / 2; }
__device__ float quarter_of(float x) { return half_of(half_of(x)); }
__global__ void kernel(float* out) { out[threadIdx.x] = quarter_of(threadIdx.x); }
