// SPDX-License-Identifier: Apache-2.0
// A texture reference of old toolkits.
texture<float, 1> image;
__global__ void kernel(float* out) { out[threadIdx.x] = tex1Dfetch(image, threadIdx.x); }
