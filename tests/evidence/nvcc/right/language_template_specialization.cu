// SPDX-License-Identifier: Apache-2.0
// A full and a partial specialization of a class template.
// launch: --kernel kinds --grid 1 --block 32 --arg out:i32:32
template <typename T, int N>
struct Kind {
  static constexpr int kValue = 1;
};
template <typename T, int N>
struct Kind<T*, N> {
  static constexpr int kValue = 2 * N;
};
template <>
struct Kind<float, 4> {
  static constexpr int kValue = 100;
};
__global__ void kinds(int* out) {
  out[threadIdx.x] = Kind<int, 3>::kValue + Kind<int*, 5>::kValue + Kind<float, 4>::kValue + threadIdx.x;
}
