// SPDX-License-Identifier: Apache-2.0
// __ballot_sync with one argument.
__global__ void kernel(unsigned* out) { out[threadIdx.x] = __ballot_sync(threadIdx.x > 3); }
