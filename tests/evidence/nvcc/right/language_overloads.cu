// SPDX-License-Identifier: Apache-2.0
// Overloaded kernels; the launch selects one by its parameters.
// launch: --kernel 'fill(float*)' --grid 1 --block 4 --arg out:f32:4
__global__ void fill(int* out) { out[threadIdx.x] = 3; }
__global__ void fill(float* out) { out[threadIdx.x] = 4.5f; }
