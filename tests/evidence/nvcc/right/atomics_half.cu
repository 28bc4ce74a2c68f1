// SPDX-License-Identifier: Apache-2.0
// atomicAdd of half and half2.
// launch: --kernel sums --grid 1 --block 32 --arg inout:f16:2:zeros
#include <cuda_fp16.h>
__global__ void sums(__half* out) {
  atomicAdd(reinterpret_cast<__half2*>(out), __floats2half2_rn(0.5f, 1.0f));
}
