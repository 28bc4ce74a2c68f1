// SPDX-License-Identifier: Apache-2.0
// Variable templates, alias templates and traits for both sides.
// left out: name_of, run, all
// instances: widen<float> widen<int>
template <typename T>
struct Wider {
  using type = T;
};
template <>
struct Wider<float> {
  using type = double;
};
template <typename T>
using wider_t = typename Wider<T>::type;
template <typename T>
constexpr int lanes_v = 16 / sizeof(T);
template <typename T>
const char* name_of() {
  return "T";
}
template <typename T>
__global__ void widen(wider_t<T>* out, const T* in) {
  for (int k = 0; k < lanes_v<T>; ++k) out[threadIdx.x * lanes_v<T> + k] = in[threadIdx.x * lanes_v<T> + k];
}
template <typename T>
void run() {
  widen<T><<<1, 32>>>(nullptr, nullptr);
}
void all() {
  run<float>();
  run<int>();
}
