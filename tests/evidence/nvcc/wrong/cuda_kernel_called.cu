// SPDX-License-Identifier: Apache-2.0
// A kernel called like a function, without a launch.
__global__ void inner(int* out) { out[threadIdx.x] = 1; }
__global__ void outer(int* out) { inner(out); }
