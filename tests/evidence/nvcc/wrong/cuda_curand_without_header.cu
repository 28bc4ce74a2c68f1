// SPDX-License-Identifier: Apache-2.0
// curand in a kernel without its header.
__global__ void kernel(float* out) {
  curandState state;
  curand_init(1, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}
