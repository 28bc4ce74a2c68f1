// SPDX-License-Identifier: Apache-2.0
// TRUE does not exist.
__global__ void kernel(bool* out) { out[threadIdx.x] = TRUE; }
