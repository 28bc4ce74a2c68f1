// SPDX-License-Identifier: Apache-2.0
// __syncthreads_count() without its predicate.
__global__ void kernel(int* out) { out[threadIdx.x] = __syncthreads_count(); }
