// SPDX-License-Identifier: Apache-2.0
// Two function heads in the branches of an #if share one body.
// left out: process
#include <cstdio>
#define WITH_STREAM 1
__global__ void inc(int* x) { x[threadIdx.x]++; }
#if WITH_STREAM
void process(int* x, cudaStream_t stream) {
#else
void process(int* x) {
  cudaStream_t stream = 0;
#endif
  inc<<<1, 32, 0, stream>>>(x);
#ifdef VERBOSE
  if (x) {
    printf("verbose {\n");
#else
  {
#endif
    cudaStreamSynchronize(stream);
  }
}
__global__ void dec(int* x) { x[threadIdx.x]--; }
