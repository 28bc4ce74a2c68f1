// SPDX-License-Identifier: Apache-2.0
// if constexpr selects an operation by type.
// launch: --kernel halves --grid 1 --block 32 --arg out:f32:32
template <typename T>
__device__ T half_of(T x) {
  if constexpr (sizeof(T) == 4 && T(0.5f) != T(0)) {
    return x * T(0.5f);
  } else {
    return x >> 1;
  }
}
__global__ void halves(float* out) {
  out[threadIdx.x] = half_of(3.0f + threadIdx.x) + half_of(int(threadIdx.x));
}
