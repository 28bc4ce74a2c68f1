// SPDX-License-Identifier: Apache-2.0
// A call with too few arguments.
__device__ float mix(float a, float b, float t) { return a + t * (b - a); }
__global__ void kernel(float* out) { out[threadIdx.x] = mix(1, 2); }
