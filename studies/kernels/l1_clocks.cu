// SPDX-License-Identifier: Apache-2.0
// One load a warp. Warps begin 13 elements after one another: their loads are aligned in every way.

constexpr int kFromWarpToWarp = 13;

// Nothing is written: no element is the constant.
template <typename T>
__device__ void use(T* out, T value) {
  if (value == T(123.0625)) *out = value;
}

template <typename T>
__global__ void strided(T* out, const T* in, int stride) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  use(out, in[warp * kFromWarpToWarp + lane * stride]);
}

template <typename T>
__global__ void in_rows(T* out, const T* in, int lanes) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  use(out, in[warp * kFromWarpToWarp + lane / lanes * 4098 + lane % lanes]);
}
