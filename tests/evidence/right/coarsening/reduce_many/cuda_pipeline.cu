// SPDX-License-Identifier: Apache-2.0
// cuda::memcpy_async in a pipeline of two stages, 16 bytes per thread and stage.
#include <cuda/pipeline>

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float4 stage[2][1024];
  __shared__ float sums[32];
  auto pipe = cuda::make_pipeline();
  const float4* words = reinterpret_cast<const float4*>(in);
  const unsigned quads = n / 4, step = gridDim.x * blockDim.x, t = threadIdx.x;
  const unsigned first = blockIdx.x * blockDim.x + t;
  const auto bring = [&](unsigned i, int s) {
    pipe.producer_acquire();
    if (i < quads) cuda::memcpy_async(&stage[s][t], &words[i], cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  };
  float sum = first < n % 4 ? in[4 * quads + first] : 0.0f;
  bring(first, 0);
  int s = 0;
  for (unsigned i = first; i < quads; i += step, s ^= 1) {
    bring(quads - i > step ? i + step : quads, s ^ 1);
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    const float4 v = stage[s][t];
    sum += v.x + v.y + v.z + v.w;
    pipe.consumer_release();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += sums[w];
    partial[blockIdx.x] = sum;
  }
}
