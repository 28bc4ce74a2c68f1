// SPDX-License-Identifier: Apache-2.0
// A device function passed as a template argument.
// launch: --kernel composed --grid 1 --block 32 --arg out:f32:32
__device__ float square(float x) { return x * x; }
__device__ float cube(float x) { return x * x * x; }
template <float (*F)(float)>
__device__ float twice(float x) {
  return F(F(x));
}
__global__ void composed(float* out) { out[threadIdx.x] = twice<square>(threadIdx.x) - twice<cube>(1.0f); }
