// SPDX-License-Identifier: Apache-2.0
// A thread's cuda::pipeline with two stages.
// launch: --kernel staged --grid 1 --block 32 --arg in:i32:128:iota --arg out:i32:128
#include <cuda/pipeline>
__global__ void staged(const int* in, int* out) {
  __shared__ int stage[2][32];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][threadIdx.x], in + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[(i + 1) % 2][threadIdx.x], in + 32 * (i + 1) + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    out[32 * i + threadIdx.x] = stage[i % 2][threadIdx.x] + 1;
    pipe.consumer_release();
  }
}
