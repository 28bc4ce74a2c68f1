// SPDX-License-Identifier: Apache-2.0
// A call with too many arguments.
__device__ float square(float x) { return x * x; }
__global__ void kernel(float* out) { out[threadIdx.x] = square(1, 2); }
