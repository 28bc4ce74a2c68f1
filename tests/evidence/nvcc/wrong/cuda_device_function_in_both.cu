// SPDX-License-Identifier: Apache-2.0
// A __host__ __device__ function that calls a __device__ function.
__device__ float square(float x) { return x * x; }
__host__ __device__ float norm(float x, float y) { return sqrtf(square(x) + square(y)); }
__global__ void kernel(float* out) { out[threadIdx.x] = norm(3, threadIdx.x); }
