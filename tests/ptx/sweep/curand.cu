// SPDX-License-Identifier: Apache-2.0
// Random numbers in a kernel.
#include <curand_kernel.h>
#define KERNEL(name) extern "C" __global__ void name(float* out, int* in)
KERNEL(xorwow) {
  curandState s;
  curand_init(1234, threadIdx.x, 0, &s);
  out[threadIdx.x] = curand_uniform(&s) + curand_normal(&s) + curand(&s);
}
KERNEL(philox) {
  curandStatePhilox4_32_10_t s;
  curand_init(1234, threadIdx.x, 0, &s);
  float4 f = curand_uniform4(&s);
  out[threadIdx.x] = f.x + curand_poisson(&s, 3.0) + curand_log_normal(&s, 0.f, 1.f);
}
KERNEL(mrg32k3a) {
  curandStateMRG32k3a s;
  curand_init(1234, threadIdx.x, 0, &s);
  out[threadIdx.x] = (float)curand_normal_double(&s);
}
