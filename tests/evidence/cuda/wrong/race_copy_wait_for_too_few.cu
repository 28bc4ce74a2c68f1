// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:256:iota
// | race_copy_wait_for_too_few.cu:16:5: race: thread (0, 0, 0) reads tile[0][63] while an asynchronous copy may still write there, which thread (63, 0, 0) has started in line 12. The wait in line 14 leaves the newest group pending, and the copy is in there: let it leave fewer. This happened 256 times.
// |    16 |     sum += tile[stage % 2][63 - threadIdx.x];
// |       |     ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[2][64];
  float sum = 0;
  for (int stage = 0; stage < 4; ++stage) {
    __pipeline_memcpy_async(&tile[stage % 2][threadIdx.x], &in[64 * stage + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);  // this stage's copy stays in flight
    __syncthreads();
    sum += tile[stage % 2][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
