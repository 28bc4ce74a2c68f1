// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline and cuda::barrier in kernels beside host code.
// left out: main
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <vector>
__global__ void staged(float* out, const float* in) {
  __shared__ float tile[128];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}
int main() {
  std::vector<float> v(128);
  staged<<<1, 128>>>(nullptr, v.data());
}
