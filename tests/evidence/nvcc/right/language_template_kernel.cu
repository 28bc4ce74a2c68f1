// SPDX-License-Identifier: Apache-2.0
// A kernel template with a type and a value parameter.
// launch: --kernel 'shift<float,3>' --grid 2 --block 32 --arg in:f32:64:iota --arg out:f32:64
template <typename T, int Distance>
__global__ void shift(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[i] = in[(i + Distance) % n];
}
template __global__ void shift<float, 3>(const float*, float*);
