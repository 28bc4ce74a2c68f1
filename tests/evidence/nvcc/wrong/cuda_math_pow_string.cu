// SPDX-License-Identifier: Apache-2.0
// pow() with a pointer.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = pow(in, 2); }
