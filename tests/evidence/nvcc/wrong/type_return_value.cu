// SPDX-License-Identifier: Apache-2.0
// A void function that returns a value.
__device__ void square(float x) { return x * x; }
__global__ void kernel(float* out) { square(out[threadIdx.x]); }
