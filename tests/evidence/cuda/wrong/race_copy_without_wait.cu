// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | race_copy_without_wait.cu:13:3: race: thread (0, 0, 0) reads tile[63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 10. Put a __pipeline_commit() and a __pipeline_wait_prior(0), which wait for the thread's own copies, and then a __syncthreads() between line 10 and line 13. This happened 64 times.
// |    13 |   out[threadIdx.x] = tile[63 - threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();  // does not wait for copies in flight
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
