// SPDX-License-Identifier: Apache-2.0
// A static constexpr member of a traits class.
// launch: --kernel formats --grid 1 --block 32 --arg out:i32:64
template <typename T>
struct Traits;
template <>
struct Traits<float> {
  static constexpr int kBits = 32, kMantissa = 23;
};
template <>
struct Traits<double> {
  static constexpr int kBits = 64, kMantissa = 52;
};
template <typename T>
__device__ int exponent_bits() {
  return Traits<T>::kBits - Traits<T>::kMantissa - 1;
}
__global__ void formats(int* out) {
  out[threadIdx.x] = exponent_bits<float>();
  out[32 + threadIdx.x] = exponent_bits<double>() + threadIdx.x;
}
