// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_of_own_without_wait.cu:12:3: race: thread (0, 0, 0) reads tile[0] while an asynchronous copy may still write there, which it has started in line 10. Put a __pipeline_commit() and a __pipeline_wait_prior(0) between line 10 and line 12. This happened 64 times.
// |    12 |   out[threadIdx.x] = tile[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];
}
