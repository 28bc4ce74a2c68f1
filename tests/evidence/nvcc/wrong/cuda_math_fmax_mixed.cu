// SPDX-License-Identifier: Apache-2.0
// fmax() of a float and an int.
__global__ void kernel(float* out) { out[threadIdx.x] = fmax(out[threadIdx.x], 0); }
