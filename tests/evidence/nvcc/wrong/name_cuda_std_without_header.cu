// SPDX-License-Identifier: Apache-2.0
// cuda::std without its header.
__global__ void kernel(int* out) { out[threadIdx.x] = cuda::std::min(1, 2); }
