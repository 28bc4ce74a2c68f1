// SPDX-License-Identifier: Apache-2.0
// A half assigned to a bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void kernel(__nv_bfloat16* out, const __half* in) { out[threadIdx.x] = in[threadIdx.x]; }
