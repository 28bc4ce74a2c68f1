// SPDX-License-Identifier: Apache-2.0
// max() of two halves.
#include <cuda_fp16.h>
__global__ void kernel(__half* out, const __half* in) { out[threadIdx.x] = max(in[0], in[1]); }
