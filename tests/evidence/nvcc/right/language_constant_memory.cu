// SPDX-License-Identifier: Apache-2.0
// Initialized constant memory, read with uniform and with divergent indices.
// launch: --kernel weigh --grid 1 --block 32 --arg out:f32:32
__constant__ float weights[8] = {0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4};
__constant__ int offset = 3;
__global__ void weigh(float* out) { out[threadIdx.x] = weights[threadIdx.x % 8] * weights[2] + offset; }
