// SPDX-License-Identifier: Apache-2.0
// A kernel with an ellipsis.
__global__ void kernel(int* out, ...) { out[threadIdx.x] = 1; }
