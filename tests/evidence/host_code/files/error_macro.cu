// SPDX-License-Identifier: Apache-2.0
// An error-checking macro, used only in host functions.
// left out: gpuAssert, run
#include <cstdio>
#include <cstdlib>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
#define TILE 16
__global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / TILE; ++t) {
    a[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}
void run(const float* A, const float* B, float* C, int N) {
  dim3 block(TILE, TILE), grid(N / TILE, N / TILE);
  matmul<<<grid, block>>>(A, B, C, N);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaDeviceSynchronize());
}
