// SPDX-License-Identifier: Apache-2.0
// Macros for __host__, __device__ and __global__, as in headers for two compilers.
// left out: host_only, main
#ifdef __CUDACC__
#define HD __host__ __device__
#define D_INLINE static __device__ __forceinline__
#define KERNEL __global__ void
#else
#define HD
#define D_INLINE static inline
#define KERNEL void
#endif
#include <math.h>
HD float length(float x, float y) { return sqrtf(x * x + y * y); }
D_INLINE float twice(float x) { return 2 * x; }
KERNEL norms(float* out, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(length(x[i], y[i]));
}
float host_only(float x) { return length(x, x); }
int main() { return host_only(1.0f) > 0 ? 0 : 1; }
