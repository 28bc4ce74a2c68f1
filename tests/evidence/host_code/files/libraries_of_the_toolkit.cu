// SPDX-License-Identifier: Apache-2.0
// cuBLAS, cuRAND, cuFFT and the profiler's headers, used only by the host.
// left out: handle, gemm, check_status
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cufft.h>
#include <curand.h>
__global__ void bias(float* x, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += b[i % 16];
}
static cublasHandle_t handle;
void gemm(const float* a, const float* b, float* c, int n) {
  const float one = 1, zero = 0;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaProfilerStart();
  bias<<<n, 256>>>(c, a, n);
}
const char* check_status(cufftResult r) { return r == CUFFT_SUCCESS ? "ok" : "bad"; }
