// SPDX-License-Identifier: Apache-2.0
// Correct and wrong kernels for device_test.cpp and the tests of the simulated driver.
#pragma once

namespace warpgrade::gpu::testing {

inline constexpr const char* kPrograms = R"(
#include <cassert>
#include <cstdio>
extern "C" __global__ void scale(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__device__ int calls;
extern "C" __global__ void count_calls(float* out, const float*, int) {
  if (threadIdx.x == 0) out[0] += ++calls;
}
extern "C" __global__ void past_end(float* out, const float*, int n) { out[n] = 1; }
extern "C" __global__ void writes_input(float*, float* in, int) { in[3] = -1; }
extern "C" __global__ void far_away(float* out, const float*, int) { out[1ull << 40] = 1; }
extern "C" __global__ void misaligned(float* out, const float*, int) {
  *(float*)((char*)out + 1) = 1;
}
extern "C" __global__ void traps(float*, const float*, int) { __trap(); }
extern "C" __global__ void asserts(float*, const float*, int n) { assert(n < 0); }
extern "C" __global__ void outside_shared(float* out, const float*, int n) {
  __shared__ volatile float tile[32];
  tile[n * 1000000] = 1;
  out[0] = tile[3];
}
extern "C" __global__ void endless(volatile float* out, const float*, int) {
  while (out[1] != 12345) {
  }
}
extern "C" __global__ void prints(float*, const float*, int n) {
  if (threadIdx.x < 2) printf("thread %d of %d\n", threadIdx.x, n);
}
extern "C" __global__ void uses_heap(float* out, const float*, int n) {
  float* p = (float*)malloc(64);
  if (p == nullptr) return;
  p[3] = n;
  out[0] = p[3];
  free(p);
}
extern "C" __global__ void much_shared(float* out, const float*, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x + 40000] = n;
  out[threadIdx.x % 4] = tile[threadIdx.x + 40000];
}
)";

}  // namespace warpgrade::gpu::testing
