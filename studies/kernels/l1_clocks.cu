// SPDX-License-Identifier: Apache-2.0
// Loads of 32 warps from 128 places, 509 elements after one another: they are aligned in every way,
// and lines of all banks of tags come up.

constexpr int kPlaces = 128;
constexpr int kFromPlaceToPlace = 509;

// Nothing is written: no element is the constant.
template <typename T>
__device__ void use(T* out, T value) {
  if (value == T(123.0625)) *out = value;
}

template <typename T>
__global__ void strided(T* out, const T* in, int stride) {
  const int lane = threadIdx.x % 32;
  for (int place = threadIdx.x / 32; place < kPlaces; place += 32) {
    use(out, in[place * kFromPlaceToPlace + lane * stride]);
  }
}

template <typename T>
__global__ void in_rows(T* out, const T* in, int lanes) {
  const int lane = threadIdx.x % 32;
  for (int place = threadIdx.x / 32; place < kPlaces; place += 32) {
    use(out, in[place * kFromPlaceToPlace + lane / lanes * 4098 + lane % lanes]);
  }
}
