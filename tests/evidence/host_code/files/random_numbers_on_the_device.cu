// SPDX-License-Identifier: Apache-2.0
// curand_kernel.h in kernels, and a host function that seeds the generators.
// left out: seed_all
#include <curand_kernel.h>
#include <ctime>
__global__ void init(curandStatePhilox4_32_10_t* states, unsigned long long seed) {
  curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
}
__global__ void draw(curandStatePhilox4_32_10_t* states, float* out) {
  out[threadIdx.x] = curand_uniform(&states[threadIdx.x]);
}
void seed_all(curandStatePhilox4_32_10_t* states) { init<<<1, 64>>>(states, time(nullptr)); }
