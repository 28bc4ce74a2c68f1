// SPDX-License-Identifier: Apache-2.0
// fmod() of an integer and a double.
__global__ void kernel(double* out) { out[threadIdx.x] = fmod(threadIdx.x, 2.5); }
