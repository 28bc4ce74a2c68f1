#include <cuda_pipeline.h>
extern "C" __global__ void k(float* out) {
  __shared__ float tile[64];
  out[threadIdx.x] = threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = 0;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
