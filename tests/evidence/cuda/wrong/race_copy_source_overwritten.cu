// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_source_overwritten.cu:13:3: race: thread (0, 0, 0) writes out[0] while an asynchronous copy may still have to read that, which it has started in line 11. Put a __pipeline_commit() and a __pipeline_wait_prior(0) between line 11 and line 13. This happened 64 times.
// |    13 |   out[threadIdx.x] = 0;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float*) {
  __shared__ float tile[64];
  out[threadIdx.x] = threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
