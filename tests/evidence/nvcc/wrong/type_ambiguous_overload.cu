// SPDX-License-Identifier: Apache-2.0
// A call that matches two overloads equally well.
__device__ float f(float a, double b) { return a + b; }
__device__ float f(double a, float b) { return a - b; }
__global__ void kernel(float* out) { out[threadIdx.x] = f(1, 2); }
