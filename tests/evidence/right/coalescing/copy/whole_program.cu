// SPDX-License-Identifier: Apache-2.0
// A whole program, as a student would run it: includes, an error-checking macro, main and a launch.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

const int TILE = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += 8)
    if (x < width && y + i < height) out[(y + i) * width + x] = in[(y + i) * width + x];
}

static void fill(float* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = (float)rand() / RAND_MAX;
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 1024, height = width;
  float *h = (float*)malloc(sizeof(float) * width * height), *a, *b;
  fill(h, width * height);
  CHECK(cudaMalloc(&a, sizeof(float) * width * height));
  CHECK(cudaMalloc(&b, sizeof(float) * width * height));
  CHECK(cudaMemcpy(a, h, sizeof(float) * width * height, cudaMemcpyHostToDevice));
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, 8);
  copy<<<grid, block>>>(b, a, width, height);
  CHECK(cudaDeviceSynchronize());
  printf("done\n");
  cudaFree(a);
  cudaFree(b);
  free(h);
  return 0;
}
