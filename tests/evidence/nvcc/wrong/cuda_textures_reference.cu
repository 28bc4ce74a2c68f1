// SPDX-License-Identifier: Apache-2.0
// A texture reference, removed from the toolkit.
texture<float, 1> image;
__global__ void kernel(float* out) { out[threadIdx.x] = tex1Dfetch(image, threadIdx.x); }
